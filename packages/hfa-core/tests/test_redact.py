"""Secrets here are built at run time from parts, so that no scanner takes this file for a leak."""

from __future__ import annotations

import random
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hfa_core
from hfa_core import redact as redaction
from hfa_core.redact import find_secrets
from hfa_core.redact.rules import RULES

REDACTED = "[REDACTED]"
MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")


def redact(text: str) -> str:
    """What redaction makes of a text, the kind left out of its marks; the same object if it changed nothing."""
    result = redaction.redact(text)
    return text if result is text else MARK.sub(REDACTED, result)


ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits


def fake(prefix: str, size: int, alphabet: str = ALNUM) -> str:
    """`prefix` and `size` characters of `alphabet`, the same in every run, never without a digit."""
    source = random.Random(f"{prefix} {size}")
    return prefix + "".join(source.choice(alphabet) for _ in range(size - 1)) + "7"


def pem(kind: str, *, lines: int = 3, line_end: str = "\n") -> str:
    body = line_end.join(fake("MIIE", 60, ALNUM + "+/") for _ in range(lines))
    return f"-----BEGIN {kind}PRIVATE KEY-----{line_end}{body}{line_end}-----END {kind}PRIVATE KEY-----"


JWT = ".".join((fake("ey" + "J", 30), fake("ey" + "J", 60), fake("", 40)))
WEAK = "hunter" + "2"
STRONG = "Tr0ub4dor" + "&3x"
HEX_32 = fake("", 32, HEX)

PROVIDER_KEYS = {
    "openai": fake("sk" + "-", 48),
    "openai project": fake("sk" + "-proj-", 64, ALNUM + "_-"),
    "openai service account": fake("sk" + "-svcacct-", 40),
    "deepseek": fake("sk" + "-", 32, HEX),
    "openrouter": fake("sk" + "-or-v1-", 64, HEX),
    "anthropic": fake("sk" + "-ant-api03-", 90, ALNUM + "_-"),
    "github classic": fake("gh" + "p_", 36),
    "github oauth": fake("gh" + "o_", 36),
    "github user": fake("gh" + "u_", 36),
    "github server": fake("gh" + "s_", 36),
    "github refresh": fake("gh" + "r_", 36),
    "github fine-grained": fake("github" + "_pat_", 82, ALNUM + "_"),
    "gitlab": fake("gl" + "pat-", 20),
    "slack bot": fake("xo" + "xb-123456789012-", 24),
    "slack user": fake("xo" + "xp-123456789012-", 32),
    "slack app": fake("xa" + "pp-1-", 40),
    "aws": fake("AK" + "IA", 16, UPPER),
    "aws session": fake("AS" + "IA", 16, UPPER),
    "google": fake("AI" + "za", 35),
    "google client": fake("GOC" + "SPX-", 28),
    "stripe": fake("sk" + "_live_", 24),
    "stripe restricted": fake("rk" + "_live_", 24),
    "stripe hook": fake("wh" + "sec_", 32),
    "npm": fake("np" + "m_", 36),
    "pypi": fake("py" + "pi-AgEIcHlwaS5vcmc", 60),
    "hugging face": fake("h" + "f_", 34),
    "sendgrid": fake("S" + "G.", 22) + "." + fake("", 43),
    "twilio": fake("S" + "K", 32, HEX),
    "telegram": "123456789:" + fake("A" + "A", 33),
    "digitalocean": fake("do" + "p_v1_", 64, HEX),
    "shopify": fake("shp" + "at_", 32, HEX),
    "square": fake("sq0" + "atp-", 22),
    "notion": fake("nt" + "n_", 46),
    "vault": fake("hv" + "s.", 90),
    "groq": fake("gs" + "k_", 52),
    "grafana": fake("gl" + "sa_", 41),
    "databricks": fake("da" + "pi", 32, HEX),
    "mailgun": fake("ke" + "y-", 32, HEX),
    "alibaba": fake("LT" + "AI", 20),
    "tencent": fake("AK" + "ID", 32),
    "age": fake("AGE-SECRET" + "-KEY-1", 58, UPPER),
    "atlassian": fake("AT" + "ATT3xFfGF0", 60),
    "azure client": fake("", 3) + "8" + "Q~" + fake("", 34),
    "jwt": JWT,
    "pem": pem("RSA "),
    "openssh": pem("OPENSSH "),
    "pkcs8": pem(""),
    "pem in JSON": pem("EC ", line_end="\\n"),
}

# What stands before the secret, the secret, what stands after it.
IN_CONTEXT = [
    ("Authorization: Bearer ", fake("", 40), "\nAccept: */*"),
    ("curl -H 'Authorization: Basic ", "dXNlcjpw" + "YXNzd29yZA==", "' https://api.example.com"),
    ('{"Authorization": "token ', fake("", 40, HEX), '"}'),
    ("We send bearer ", fake("", 30), " by hand"),
    ("Cookie: session=", fake("", 32), "; theme=dark"),
    ("X-Api-Key: ", fake("", 32), ""),
    ("PRIVATE-TOKEN: ", fake("", 20), ""),
    ("postgres://app:", STRONG, "@db.example.com:5432/shop"),
    ("https://user:", WEAK, "@git.example.com/team/repo.git"),
    ("redis://:", fake("", 16), "@cache:6379/0"),
    ("mongodb+srv://admin:", "p%40ss" + "w0rd", "@cluster0.example.net/?retryWrites=true"),
    ("https://hooks.slack.com/services/", "T0000" + "0000/B00000000/" + fake("", 24), " is called"),
    ("https://discord.com/api/webhooks/123456789012345678/", fake("", 68), ""),
    ("DefaultEndpointsProtocol=https;AccountName=shop;Account" + "Key=", fake("", 86) + "==", ";EndpointSuffix=x"),
    ("https://x.example.com/f?sv=2024&si" + "g=", fake("", 43) + "%3D", "&se=1"),
    ("GET /v1/me?api_key=", fake("", 24), "&page=2"),
    ("aws_secret_access_key = ", fake("", 40, ALNUM + "/+"), "\nregion = eu-west-1"),
    ("AWS_SECRET_ACCESS_KEY=", fake("", 40, ALNUM + "/+"), ""),
    ("password=", WEAK, ""),
    ("passwd: ", WEAK, ""),
    ("pwd=", STRONG, ";Database=shop"),
    ("DB_PASSWORD=", "swordfish", ""),
    ("  password: ", "swordfish", "\n  user: app"),
    ('password = "', "correct horse battery staple", '"'),
    ("password: '", STRONG, "',"),
    ('"password": "', WEAK, '", "user": "anna"'),
    ('\\"password\\": \\"', WEAK, '\\", \\"user\\": 1'),
    ("password: str = '", STRONG, "'"),
    ("password := `", STRONG, "`"),
    ("'password' => '", WEAK, "',"),
    ("if password == '", WEAK, "':"),
    ("SMTP_PASS=", STRONG, ""),
    ('secret: "', fake("", 24), '"'),
    ("client_secret=", fake("", 32), "&grant_type=client_credentials"),
    ("SECRET_KEY = '", fake("", 50, ALNUM + "!@#^*-_"), "'"),
    ("api_key: ", fake("", 32), ""),
    ("apiKey: '", fake("", 32), "',"),
    ("API-KEY=", fake("", 20), " make deploy"),
    ("access_key=", fake("", 20), ""),
    ("//registry.npmjs.org/:_authToken=", fake("", 36, HEX), ""),
    ("export TOKEN=", fake("", 16), "\nrun"),
    ("token: ", fake("", 16), ", rotate it"),
    ("**token**: ", fake("", 20), ""),
    ('os.environ["API_TOKEN"] = "', fake("", 20), '"'),
    ("the password is ", WEAK, ", please rotate it"),
    ("I changed the password to ", WEAK, "."),
    ("our API key is ", fake("", 24), " for now"),
    ("mysql --user=root --password=", "swordfish", " shop"),
    ("tool --token ", fake("", 24), " --verbose"),
    ("curl -u admin:", WEAK, " https://example.com"),
    ("machine git.example.com login anna password ", WEAK, "\n"),
    ("<password>", WEAK, "</password>"),
    ('"auths": {"r.example.com": {"auth": "', "YW5uYTpo" + "dW50ZXIy", '"}}'),
    ("TWILIO_AUTH = ", HEX_32, ""),
    ("数据库密码：", WEAK, "，请尽快更换"),
    ("密码: ", STRONG, ""),
    ("密码是", WEAK, "。"),
    ("密码是", "swordfish", "，不要外传"),
    ("密码为“", STRONG, "”"),
    ("密码已经改为 ", STRONG, "，旧的作废"),
    ("管理员口令=", WEAK, ""),
    ("口令：", "123" + "456", "！"),
    ("密钥：", fake("", 32), "（测试环境）"),
    ("密钥是 ", fake("", 24), ""),
    ("访问令牌 = ", fake("", 24), ""),
    ('"密码": "', WEAK, '"'),
    ("令牌为", fake("", 24), "，有效期七天"),
    ("用户密码：", fake("", 12), "\n数据库：shop"),
]

DISGUISED = [
    ("password：", WEAK, ""),
    ("ｐａｓｓｗｏｒｄ＝", WEAK, ""),
    ("pass\u200bword=", WEAK, ""),
    ("password\u00ad: ", STRONG, ""),
    ("密\u200b码：", WEAK, ""),
    ("密\ufe00码：", WEAK, ""),
    ("密码\u2060：\ufeff", WEAK, ""),
    ("key ", "\u200b".join(("s", "k", fake("-proj-", 40))), " end"),
    ("key ", "ｓｋ－" + fake("", 40), " end"),
    ("key ", "gh\u200dp_" + fake("", 36), " end"),
    ("key ", "sk\u2013" + fake("", 40), " end"),
    ("id ", "ＡＫＩＡ" + fake("", 16, UPPER), " end"),
    ("password = \u201c", STRONG, "\u201d"),
    ("钥匙", fake("sk" + "-proj-", 40), "不要提交"),
]

CLEAN_EN = """
task-based scheduling is risk-free at the desk-top
use sk-learn style estimators; flask-sqlalchemy-extended-session-manager works
the ask-me-anything-about-the-new-release thread
password rotation policy
the password must have at least 12 characters
password: required
password: must be at least 12 characters
password is base64-encoded before it is sent
the password is required
passwords are hashed with argon2id
password: argon2id
password: str
password: str | None = None
password: Optional[str] = Field(default=None)
def login(user: str, password: str) -> Token:
password = getpass.getpass()
password=os.environ["DB_PASSWORD"]
password = config.database.password
connect(user=user, password=password, host=host)
self.password = new_password
password=<password>
password: "<your password>"
password=${DB_PASSWORD}
password: "{{ vault_password }}"
PASSWORD=$DB_PASSWORD
password = "%s"
password=********
password: xxx
password=changeme
PWD=/home/anna/project
pwd: ~/work
password_file: /run/secrets/db
token budget is 600 tokens
tokens: 600
max_tokens=4096
token: expired
token = next(tokens)
token = self.token
token = parser.next_token
token: str = Depends(oauth2_scheme)
const token = process.env.TOKEN;
api_key = os.environ["API_KEY"]
api_key=os.getenv("API_KEY")
api_key: ${API_KEY}
API_KEY=your-api-key-here
apiKey: "YOUR_API_KEY"
api_key="<API_KEY>"
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${ACCESS_TOKEN}
Authorization: required for every route
Bearer authentication is described in RFC 6750
the token is refreshed every hour
the secret is stored in the vault
the key to success is rest
secret: kubernetes-secret-name
secretName: db-credentials
token type: refresh_token
csrf_token: {{ csrf_token() }}
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
OPENAI_API_KEY=sk-...
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
use hf_hub_download and npm_config_registry
commit 4f2d9c1e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d
sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
uuid 123e4567-e89b-12d3-a456-426614174000
see chunk_0042-7f3a9c and chunk_0007-a1b2c3
packages/hfa-core/src/hfa_core/redact/rules.py
C:\\Users\\anna\\AppData\\Local\\Programs\\Python
https://docs.example.org/how-to/tokens.html?version=3.12#passwords
https://localhost:8080/api and anna@example.com
smtp.password = (self.password.encode("ascii"))
the argument for a token is `args[token.index]`
USER_PASSWD = "%s:%s"
see https://docs.example.org/path and write to anna@example.com
git@github.com:team/repo.git and ssh://git@example.com:22/repo.git
postgres://app:${DB_PASSWORD}@db/shop
postgres://app:<password>@db/shop
the private key is kept in an HSM
curl -u admin https://example.com
--password-file ./secret.txt and --token <token>
if token != expected: raise AuthError
tokenizer: o200k_base
import secrets; secrets.token_hex(16)
key: value
keyword=search
monkey=banana
compass: north
"""

CLEAN_ZH = """
密码为 `-u/--user` 参数指定的用户的密码
登录口令为 TiDB 数据库的口令
密码学是研究信息安全的学科
密码长度至少12位
密码：至少12位，包含大小写字母
密码是什么？
密码不能为空
密码有效期是90天
密码是bcrypt加密的
密码用sha256哈希
密码：<密码>
密码=${DB_PASSWORD}
密码: ******
口令为空时拒绝登录
密钥轮换策略每季度执行一次
密钥是AES-256的
密钥文件: /etc/app/keys
密钥由运维保管
令牌预算是600个
令牌：refresh_token
令牌桶限流算法
令牌是JWT格式
在命令行入口检查密集的编码
凭证：见内部文档
"""

CLEAN = [line for line in (CLEAN_EN + CLEAN_ZH).splitlines() if line]


@pytest.mark.parametrize("name", PROVIDER_KEYS)
def test_a_key_of_a_known_form_goes_wherever_it_stands(name: str) -> None:
    secret = PROVIDER_KEYS[name]
    for before, after in (("", ""), ("use ", " for now"), ("用", "，先这样"), ("('", "')"), ("line\n", "\nline")):
        assert redact(before + secret + after) == before + REDACTED + after


@pytest.mark.parametrize(("before", "secret", "after"), IN_CONTEXT)
def test_a_secret_goes_and_what_gives_it_meaning_stays(before: str, secret: str, after: str) -> None:
    text = before + secret + after

    assert redact(text) == before + REDACTED + after
    assert find_secrets(text)


@pytest.mark.parametrize(("before", "secret", "after"), DISGUISED)
def test_no_width_dash_quote_or_invisible_character_hides_a_secret(before: str, secret: str, after: str) -> None:
    assert redact(before + secret + after) == before + REDACTED + after


@pytest.mark.parametrize("text", CLEAN)
def test_ordinary_text_about_secrets_is_untouched(text: str) -> None:
    assert redact(text) is text
    assert not find_secrets(text)


def test_the_whole_of_the_ordinary_text_is_untouched() -> None:
    text = CLEAN_EN + CLEAN_ZH

    assert redact(text) is text


def test_all_secrets_of_a_text_go() -> None:
    text = "\n\n".join(before + secret + after for before, secret, after in IN_CONTEXT)

    assert redact(text) == "\n\n".join(before + REDACTED + after for before, _, after in IN_CONTEXT)


def test_overlapping_rules_leave_one_mark() -> None:
    assert redact(f"Authorization: Bearer {JWT}") == f"Authorization: Bearer {REDACTED}"
    assert redact(f"token={PROVIDER_KEYS['anthropic']}") == f"token={REDACTED}"


def test_a_key_block_that_was_cut_off_goes_up_to_where_it_ends() -> None:
    block = pem("RSA ").partition("\n-----END")[0]

    assert redact(f"see {block}") == f"see {REDACTED}"
    assert redact(f"{block}\n\nNext we rotate it, as planned.").endswith("Next we rotate it, as planned.")


def test_the_mark_is_kept_as_it_is() -> None:
    for text in (
        f"password={REDACTED}",
        f'"token": "{REDACTED}"',
        f"postgres://app:{REDACTED}@db",
        f"密码：{REDACTED}。",
    ):
        assert redact(text) is text


def test_a_mark_beside_a_secret_does_not_protect_it() -> None:
    assert WEAK not in redact(f"password={WEAK}{REDACTED}")


FRAGMENTS = st.one_of(
    st.sampled_from([before + secret + after for before, secret, after in IN_CONTEXT + DISGUISED]),
    st.sampled_from(list(PROVIDER_KEYS.values())),
    st.sampled_from([before for before, _, _ in IN_CONTEXT]),
    st.sampled_from([literal for _, literals, _, _, _ in RULES for literal in literals]),
    st.sampled_from(
        [" ", "\n", "=", ":", '"', "'", "\\", "/", "@", ".", "-", "_", "，", "是", "<", ">", "(", "]", "x", REDACTED]
    ),
    st.sampled_from(CLEAN),
    st.text(max_size=8),
)
TEXTS = st.lists(FRAGMENTS, max_size=8).map("".join)


@settings(deadline=None)
@given(TEXTS)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redaction.redact(text)

    assert redaction.redact(once) == once


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=())))
def test_no_text_raises_and_a_clean_one_comes_back_itself(text: str) -> None:
    assert find_secrets(text) or redact(text) is text


@settings(deadline=None)
@given(TEXTS)
def test_what_is_found_is_what_is_changed(text: str) -> None:
    assert bool(find_secrets(text)) == (redact(text) is not text)


@settings(deadline=None)
@given(st.sampled_from(IN_CONTEXT), st.sampled_from(CLEAN), st.sampled_from(CLEAN))
def test_a_secret_between_ordinary_lines_goes_and_the_lines_stay(
    case: tuple[str, str, str], above: str, below: str
) -> None:
    before, secret, after = case

    result = redact(f"{above}\n{before}{secret}{after}\n{below}")

    assert result == f"{above}\n{before}{REDACTED}{after}\n{below}"


ADVERSARIES = [
    "password=",
    "password ",
    'password="',
    "password='\\",
    "token: ",
    "token" + "=" * 3,
    "密码：",
    "密码",
    "eyJ",
    "eyJ-",
    "eyJa.",
    "sk-",
    "SG.",
    "://a:",
    "://a",
    "://",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n-",
    "-",
    "a",
    "aB",
    "password=aB",
    "x",
    "xxx_",
    "-xxx",
    "your",
    "bearer ",
    "bearer a.",
    "curl ",
    "curl -u ",
    "discord M",
    "twilio ",
    "machine a login ",
    "<password>",
    "<" + "a" * 40,
    "123456789:AA",
    "8Q~",
    "key is ",
    "authorization:",
    " ",
    "\n",
    "\\",
    '"',
    "&",
    "&a",
    "\u200b",
    "ｐ",
]


@pytest.mark.parametrize("piece", ADVERSARIES)
def test_a_long_run_of_one_piece_is_done_in_linear_time(piece: str) -> None:
    """A quadratic rule would take minutes here, so that ending at all is the proof."""
    assert isinstance(redact(piece * (150_000 // len(piece))), str)


@pytest.mark.parametrize("start", ["password=", "eyJ", "sk-", "密码：“", "://a:", "-----BEGIN PRIVATE KEY-----"])
def test_a_megabyte_behind_the_start_of_a_secret_is_done_in_linear_time(start: str) -> None:
    assert isinstance(redact(start + "aB-./" * 200_000), str)


def run_bare(program: str) -> str:
    """What `program` prints in an interpreter without site packages, as a hook runs."""
    source = str(Path(hfa_core.__file__).parent.parent)
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {source!r})\n{program}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout.strip()


HEAVY = ("re", "typing", "dataclasses", "json", "enum", "pathlib", "functools", "collections")


def test_clean_text_loads_nothing_heavy() -> None:
    english = "We chose UTC; the token budget is 600, task-based, password rotation later."
    chinese = "我们决定使用密集索引，命令入口不变，令行禁止。"
    clean = f"{english}\n{chinese}"
    program = (
        f"from hfa_core.redact import redact; redact({clean!r}); print([m for m in {HEAVY!r} if m in sys.modules])"
    )

    assert run_bare(program) == "[]"


def test_a_secret_is_found_in_a_bare_interpreter() -> None:
    program = f"from hfa_core.redact import redact; print(redact('password={WEAK}'), 're' in sys.modules)"

    assert run_bare(program) == "password=[REDACTED:password] True"


def test_every_rule_has_a_literal_that_its_look_up_can_find() -> None:
    for name, literals, _, _, _ in RULES:
        assert literals, name
        assert all(literal == literal.casefold() for literal in literals), name


def test_every_rule_has_its_own_name() -> None:
    names = [rule[0] for rule in RULES]

    assert len(names) == len(set(names))
