"""Secrets that never were, made at run time from parts so that no scanner takes a file for a leak; and look-alikes."""

from __future__ import annotations

import base64
import hashlib
import random
import string
import uuid

LETTERS = string.ascii_letters
DIGITS = string.digits
ALNUM = LETTERS + DIGITS
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + DIGITS
LOWER = string.ascii_lowercase + DIGITS
URL_SAFE = ALNUM + "_-"
BASE32 = string.ascii_uppercase + "234567"

Vector = tuple[str, str, str, str]
"""The kind that is to be named, what stands before the secret, the secret, what stands after it."""

# Kind, the parts of the prefix, how many characters follow and of which alphabet, and what ends the key.
_MARKED: tuple[tuple[str, tuple[str, ...], int, str, str], ...] = (
    ("anthropic", ("sk", "-ant-", "api03-"), 90, URL_SAFE, ""),
    ("openrouter", ("sk", "-or-", "v1-"), 64, HEX, ""),
    ("langfuse", ("sk", "-lf-"), 36, HEX, ""),
    ("openai", ("sk", "-"), 48, ALNUM, ""),
    ("openai", ("sk", "-proj-"), 64, URL_SAFE, ""),
    ("openai", ("sk", "-"), 32, HEX, ""),
    ("hugging-face", ("h", "f_"), 34, LETTERS, ""),
    ("groq", ("gs", "k_"), 52, ALNUM, ""),
    ("xai", ("xa", "i-"), 80, ALNUM, ""),
    ("perplexity", ("pp", "lx-"), 48, ALNUM, ""),
    ("replicate", ("r", "8_"), 37, ALNUM, ""),
    ("nvidia", ("nv", "api-"), 64, URL_SAFE, ""),
    ("tavily", ("tv", "ly-"), 32, ALNUM, ""),
    ("langsmith", ("lsv", "2_pt_"), 32, HEX, "_0a1b2c3d4e"),
    ("cerebras", ("cs", "k-"), 48, LOWER, ""),
    ("fireworks", ("f", "w_"), 24, ALNUM, ""),
    ("github", ("gh", "p_"), 36, ALNUM, ""),
    ("github", ("gh", "s_"), 36, ALNUM, ""),
    ("github-pat", ("github", "_pat_"), 82, ALNUM + "_", ""),
    ("gitlab", ("gl", "pat-"), 20, URL_SAFE, ""),
    ("bitbucket", ("AT", "BB"), 32, ALNUM, ""),
    ("atlassian", ("ATA", "TT3xFfGF0"), 60, URL_SAFE, ""),
    ("circleci", ("CCI", "PAT_"), 40, ALNUM, ""),
    ("buildkite", ("bk", "ua_"), 40, HEX, ""),
    ("sonar", ("sq", "p_"), 40, HEX, ""),
    ("npm", ("np", "m_"), 36, ALNUM, ""),
    ("pypi", ("py", "pi-AgEIcHlwaS5vcmc"), 60, URL_SAFE, ""),
    ("rubygems", ("ruby", "gems_"), 48, HEX, ""),
    ("docker", ("dck", "r_pat_"), 27, URL_SAFE, ""),
    ("nuget", ("oy", "2"), 43, LOWER, ""),
    ("slack", ("xo", "xb-123456789012-"), 24, ALNUM, ""),
    ("slack", ("xa", "pp-1-"), 40, ALNUM, ""),
    ("sendgrid", ("S", "G."), 22, ALNUM, "." + "q" * 3 + "7Xy2" * 10),
    ("brevo", ("xkey", "sib-"), 64, HEX, "-Ab3dEf6hIj9lMn0p"),
    ("mailgun", ("ke", "y-"), 32, HEX, ""),
    ("resend", ("r", "e_AbCd1234_"), 24, ALNUM, ""),
    ("twilio", ("S", "K"), 32, HEX, ""),
    ("stripe", ("sk", "_live_"), 24, ALNUM, ""),
    ("stripe", ("wh", "sec_"), 32, ALNUM, ""),
    ("square", ("sq0", "atp-"), 22, URL_SAFE, ""),
    ("paypal", ("access", "_token$production$abcd1234efgh5678$"), 32, HEX, ""),
    ("flutterwave", ("FLW", "SECK-"), 32, HEX, "-X"),
    ("plaid", ("access", "-production-"), 36, HEX, ""),
    ("shopify", ("shp", "at_"), 32, HEX, ""),
    ("aws-id", ("AK", "IA"), 16, UPPER, ""),
    ("aws-id", ("AS", "IA"), 16, UPPER, ""),
    ("google", ("AI", "za"), 35, URL_SAFE, ""),
    ("google-oauth", ("GOC", "SPX-"), 28, URL_SAFE, ""),
    ("alibaba", ("LT", "AI"), 20, ALNUM, ""),
    ("tencent", ("AK", "ID"), 32, ALNUM, ""),
    ("volcengine", ("AK", "LT"), 43, ALNUM, ""),
    ("digitalocean", ("do", "p_v1_"), 64, HEX, ""),
    ("heroku", ("HR", "KU-"), 60, URL_SAFE, ""),
    ("netlify", ("nf", "p_"), 40, ALNUM, ""),
    ("fly", ("fo", "1_"), 43, URL_SAFE, ""),
    ("supabase", ("sb", "p_"), 40, HEX, ""),
    ("planetscale", ("pscale", "_tkn_"), 43, URL_SAFE, ""),
    ("databricks", ("da", "pi"), 32, HEX, ""),
    ("pulumi", ("pu", "l-"), 40, HEX, ""),
    ("vault", ("hv", "s."), 90, URL_SAFE, ""),
    ("doppler", ("dp", ".pt."), 43, ALNUM, ""),
    ("onepassword", ("ops", "_eyJ"), 120, ALNUM, ""),
    ("age", ("AGE-SECRET", "-KEY-1"), 58, UPPER, ""),
    ("grafana", ("gl", "sa_"), 41, ALNUM, ""),
    ("sentry", ("sn", "trys_"), 80, ALNUM, ""),
    ("newrelic", ("NR", "AK-"), 27, UPPER, ""),
    ("dynatrace", ("dt0", "c01.", "ABCDEFGHIJ234567ABCDEFGH."), 64, BASE32, ""),
    ("posthog", ("ph", "x_"), 43, ALNUM, ""),
    ("notion", ("nt", "n_"), 46, ALNUM, ""),
    ("linear", ("lin", "_api_"), 40, ALNUM, ""),
    ("figma", ("fi", "gd_"), 40, URL_SAFE, ""),
    ("postman", ("PM", "AK-"), 59, HEX, ""),
    ("airtable", ("pa", "tAbCdEfGhIj1234."), 64, HEX, ""),
    ("contentful", ("CF", "PAT-"), 43, URL_SAFE, ""),
    ("dingtalk", ("SE", "C"), 64, HEX, ""),
    ("telegram", ("123456789", ":A", "A"), 33, URL_SAFE, ""),
    ("jwt", ("ey", "J"), 30, ALNUM, ".eyJpYXQiOjE3" + "x7" * 20 + ".s1gNat" + "uRe" * 6),
)
_SURROUNDINGS = (("", ""), ("use ", " for now"), ("用", "，先这样"), ("`", "`"), ("the value (", ") leaked\n"))


def random_text(rng: random.Random, size: int, alphabet: str = ALNUM) -> str:
    """A random text with a digit and letters of every case that the alphabet has."""
    needed = "".join(rng.choice(kind) for kind in _classes(alphabet))
    chars = [*needed, *(rng.choice(alphabet) for _ in range(size - len(needed)))]
    rng.shuffle(chars)
    # What ends in punctuation reads as the end of a sentence.
    return "".join(chars).rstrip("-_").ljust(size, "7")


def _classes(alphabet: str) -> list[str]:
    kinds = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    return [both for kind in kinds if (both := "".join(char for char in kind if char in alphabet))]


def vectors(rng: random.Random) -> list[Vector]:
    """At least one secret of every kind, each where such a secret stands."""
    found: list[Vector] = []
    for place, (kind, prefix, size, alphabet, end) in enumerate(_MARKED):
        before, after = _SURROUNDINGS[place % len(_SURROUNDINGS)]
        found.append((kind, before, "".join(prefix) + random_text(rng, size, alphabet) + end, after))
    return [*found, *_in_addresses(rng), *_in_settings(rng), *_in_prose(rng)]


def _in_addresses(rng: random.Random) -> list[Vector]:
    def some(size: int, alphabet: str = ALNUM) -> str:
        return random_text(rng, size, alphabet)

    return [
        ("slack-hook", "https://hooks.slack.com/services/", f"T{some(9, UPPER)}/B{some(9, UPPER)}/{some(24)}", ""),
        ("teams-hook", "https://x.webhook.office.com/webhookb2/", f"{some(36, HEX)}@{some(36, HEX)}", " is called"),
        ("feishu-hook", "https://open.feishu.cn/open-apis/bot/v2/hook/", some(36, HEX), ""),
        ("wecom-hook", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", some(36, HEX), ""),
        ("discord", "https://discord.com/api/webhooks/123456789012345678/", some(68, URL_SAFE), ""),
        ("mailchimp", "", some(32, HEX) + "-us12", " is the key"),
        ("twilio-auth", "Twilio uses ", some(32, HEX), ""),
        ("azure", "DefaultEndpointsProtocol=https;AccountName=shop;Account" + "Key=", some(86) + "==", ";E=x"),
        ("azure-client", "", some(3) + "8" + "Q~" + some(34), ""),
        ("azure-devops", "", some(76) + "AZ" + "DO" + some(4), ""),
        ("terraform", "", some(14) + ".atlas" + "v1." + some(60), ""),
        ("private-key", "", _pem(rng, "RSA "), ""),
        ("private-key", "", _pem(rng, "OPENSSH "), "\nend"),
        ("url", "postgres://app:", some(14), "@db.example.com:5432/shop"),
        ("url", "mongodb+srv://admin:", "p%40" + some(8), "@cluster0.example.net/?retryWrites=true"),
        ("url", "连接 amqp://guest:", some(10), "@mq:5672/"),
        ("url-token", "https://", some(40, HEX), "@git.example.com/x.git"),
        ("signature", "https://x.blob.example.net/f?sv=2024&si" + "g=", some(43) + "%3D", "&se=1"),
        ("token", "GET /v1/me?api_key=", some(24), "&page=2"),
    ]


def _in_settings(rng: random.Random) -> list[Vector]:
    def some(size: int, alphabet: str = ALNUM) -> str:
        return random_text(rng, size, alphabet)

    return [
        ("authorization", "Authorization: Bearer ", some(40), "\nAccept: */*"),
        ("authorization", "curl -H 'Authorization: Basic ", base64.b64encode(some(20).encode()).decode(), "' x"),
        ("bearer", "We send bearer ", some(30), " by hand"),
        ("cookie", "Cookie: session=", some(32), "; theme=dark"),
        ("docker-auth", '"auths": {"r": {"auth": "', base64.b64encode(some(14).encode()).decode(), '"}}'),
        ("password", "DB_PASSWORD=", some(12), "\nDB_HOST=db"),
        ("password", "password = '", some(12), "'"),
        ("password", '"password": "', some(9), '", "user": "anna"'),
        ("password", "SMTP_PASS=", some(12), ""),
        ("token", "aws_secret_access_key = ", some(40, ALNUM + "+"), "\nregion = eu-west-1"),
        ("token", "export API_TOKEN=", some(24), "\nrun"),
        ("token", "client_secret: ", some(32), ""),
        ("token", "SECRET_KEY = '", some(50), "'"),
        ("option", "mysql --user=root --password ", some(10), " shop"),
        ("user-option", "curl -u admin:", some(12), " https://example.com"),
        ("netrc", "machine git.example.com login anna password ", some(12), "\n"),
        ("element", "<password>", some(12), "</password>"),
    ]


def _in_prose(rng: random.Random) -> list[Vector]:
    def some(size: int, alphabet: str = ALNUM) -> str:
        return random_text(rng, size, alphabet)

    return [
        ("spoken-password", "the password is ", some(10), ", please rotate it"),
        ("spoken-password", "I changed the password to ", some(10), "."),
        ("spoken-token", "our API key is ", some(24), " for now"),
        ("password-zh", "数据库密码：", some(10), "，请尽快更换"),
        ("password-zh", "密码已经改为 ", some(12), "，旧的作废"),
        ("password-zh", "管理员口令=", some(10), ""),
        ("token-zh", "密钥：", some(32), "（测试环境）"),
        ("token-zh", "令牌为", some(24), "，有效期七天"),
        ("near-secret-word", "the deploy token, as agreed on Monday, ", some(28), " expires soon"),
        ("near-secret-word", "密钥放在了这里 ", some(28), " 记得换掉"),
        ("high-entropy", "the bot logs in with ", some(40), " on staging"),
        ("high-entropy", "STAGING_DSN=", some(44), "\n"),
        ("high-entropy", "登录时用 ", some(40), " 即可"),
    ]


def _pem(rng: random.Random, kind: str) -> str:
    body = "\n".join(random_text(rng, 60) for _ in range(3))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def look_alikes(rng: random.Random) -> list[str]:
    """Sentences with what only looks like a secret, made anew for each `rng`."""
    data = rng.randbytes(32)
    sha256 = hashlib.sha256(data).hexdigest()
    sri = base64.b64encode(hashlib.sha512(data).digest()).decode()
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n" + rng.randbytes(90)).decode()
    number = rng.randrange(1, 9999)
    return [
        f"fixed in commit {hashlib.sha1(data).hexdigest()}",
        f"the token check broke at {hashlib.sha1(data).hexdigest()[:10]}",
        f"修复见提交 {hashlib.sha1(data).hexdigest()}，令牌校验恢复",
        f"sha256:{sha256} is the image that we deploy",
        f"the password rotation job has the id {uuid.UUID(bytes=data[:16])}",
        f"uuid {uuid.UUID(bytes=data[16:])} stands for the tenant",
        f"md5 {hashlib.md5(data).hexdigest()} of the archive",
        f'"integrity": "sha512-{sri}"',
        f"the checksum of the wheel is {digest}",
        f"example.com/mod v1.{number}.0 h1:{digest}",
        f'<img src="data:image/png;base64,{png}">',
        f"the icon {png} is inlined",
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5{base64.b64encode(data).decode().rstrip('=')} anna@host",
        f"see chunk_{number:04d}-{sha256[:6]} and chunk_{number + 1:04d}-{sha256[6:12]}",
        f"a risk-based review of {number} desk-top machines",
        f"the task-{number}-based scheduler and the ask-me-anything-{number} thread",
        f"AKIA{'IOSFODNN7'}EXAMPLE is the key in the documentation, page {number}",
        f"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY{'EXAMPLE'}KEY # page {number}",
        f"OPENAI_API_KEY=sk-{'x' * rng.randrange(20, 50)}",
        f"api_key=${{API_KEY_{number}}}",
        f"packages/hfa-core/src/hfa_core/redact/rules_{number}.py holds the token table",
        f"https://docs.google.com/document/d/1Bxi{random_text(rng, 40)}/edit",
        f"max_tokens={number} and tokens: {number}",
        f"UserAuthenticationServiceFactoryBeanV{number} holds the secret provider",
        f"the password must have at least {rng.randrange(8, 20)} characters",
        f"密码至少 {rng.randrange(8, 20)} 位，密钥每 {number} 天轮换",
        f"_ZN4core3fmt9Formatter12pad_integral17h{sha256[:16]}E is the symbol",
        f"port {number}, request id req_{number}, ticket OPS-{number}",
        f"bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi has {number} blocks",
        f"nginx:1.{number}-alpine@sha256:{sha256}",
    ]
