"""The table of what counts as a secret: data only, so that looking up a literal needs no regular expression.

A rule is `(name, literals, anchor, judge, pattern)`:

- `literals`: casefolded; the pattern is compiled only if one stands in the casefolded plain text as `anchor` says;
- `anchor`: `START`, not right after a letter or digit; `SIGN` or `AT`, with one of these characters soon after it;
  `ANY`, anywhere;
- `judge`: who decides whether the value found is a secret or a placeholder, a word or code (`hfa_core.redact.judge`);
- `pattern`: for the plain text with its case kept, ASCII classes. The last group that took part is the value; without
  groups the whole match is. What stands around the value is kept.

Every pattern runs in linear time: what may repeat without a limit is followed by nothing, or starts only at a boundary.
The provider forms follow the vendors' documentation and the public rule sets of gitleaks (MIT).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Rule = tuple[str, tuple[str, ...], str, str, str]

START, SIGN, AT, ANY = "start", ":=", "@", "any"
CHINESE_SIGN = ":=是为為成"
ALWAYS, KEY, RANDOM, HEADER = "always", "key", "random", "header"
PASSWORD, TOKEN, SPOKEN, URL = "password", "token", "spoken", "url"

_NOT_AFTER = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"

# A key's name may be closed by quotes, brackets or emphasis and carry a type, as in `password: str = "..."`.
_TYPE = r"(?:[ \t]{0,4}:?[ \t]{0,4}(?:str|string|bytes|SecretStr)(?:[ ]?\|[ ]?None|\?)?(?=[ \t]{0,8}=))?"
_SIGN = r"[\\\"'`*\]]{0,4}" + _TYPE + r"[ \t]{0,8}(?P<sign>:=|=>|[!=]?={1,2}|:)[ \t*]{0,8}"
_QUOTED = (
    r"(?:[rbuf]{0,2}(?:\\{1,3}[\"']([^\"'\\\r\n]{1,400})\\{1,3}[\"']|\"((?:[^\"\\\r\n]|\\.){1,400})\""
    r"|'((?:[^'\\\r\n]|\\.){1,400})'|`([^`\r\n]{1,400})`)"
)
# The printable ASCII characters but quotes, comma and semicolon; `&` only where it does not start a query parameter.
_BARE = r"((?:[!#-%(-+\--:<-_a-~]|&(?![\w.-]{1,30}=))+))"
_VALUE = _QUOTED + r"|[\"']?" + _BARE
_SUFFIX = r"(?:[_-]?(?:value|key|prod|production|dev|test|staging|live|old|new|backup|\d{1,3}))?"
_PASSWORD_KEY = r"(?:pass(?:word|wd|phrase|code)|pwd|(?<=[_-])pass)" + _SUFFIX
_TOKEN_KEY = (
    r"(?:token|secret|credential|(?<=[_-])auth"
    r"|(?:api|access|secret|private|account|auth|encryption|signing|shared|master)[ _.-]?key)" + _SUFFIX
)
_CHINESE_SIGN = (
    r"[\"'`*\]]{0,4}(?:已经?|现在|目前|暂时|统一|默认|的?值)?[ \t]{0,4}"
    r"(?P<sign>[:=]|(?:应该|就|还|仍)?是|(?:改|设|设置|更新|重置|修改)?[为為成](?:了)?)[ \t]{0,8}"
)
# Notion, Linear, Figma, Postman, New Relic, Vault, Doppler, Sentry, Grafana, Groq, xAI, Perplexity, Replicate, Docker,
# PlanetScale, Supabase, Tavily, NVIDIA, PostHog, RubyGems, Mailgun, Databricks
_PREFIXES = """
ntn_ lin_api_ figd_ pmak- nrak- hvs. hvb. dp.pt. dp.st. sntrys_ sntryu_ glsa_ glc_ gsk_ xai- pplx- r8_ dckr_pat_
pscale_tkn_ pscale_pw_ sbp_ sb_secret_ tvly- nvapi- phx_ rubygems_ key- dapi
"""

RULES: tuple[Rule, ...] = (
    ("anthropic", ("sk-ant-",), START, KEY, _NOT_AFTER + r"sk-ant-[\w-]{16,}"),
    (
        "openai",
        ("sk-",),
        START,
        KEY,
        _NOT_AFTER + r"sk-(?:(?:proj|svcacct|admin|None|or-v1)-[\w-]{16,}|[A-Za-z0-9]{20,})",
    ),
    ("github", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), START, KEY, _NOT_AFTER + r"gh[pousr]_[A-Za-z0-9]{30,}"),
    ("github-pat", ("github_pat_",), START, KEY, _NOT_AFTER + r"github_pat_\w{22,}"),
    (
        "gitlab",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glagent-"),
        START,
        KEY,
        _NOT_AFTER + r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent)-[\w-]{18,}",
    ),
    ("slack", ("xox", "xapp-"), START, KEY, _NOT_AFTER + r"(?:xox[abeoprs]|xapp)-[\w-]{10,}"),
    ("slack-hook", ("hooks.slack.com",), ANY, KEY, r"hooks\.slack\.com/(?:services|workflows)/([\w/]{20,})"),
    ("aws-id", ("akia", "asia", "abia", "acca"), START, KEY, _NOT_AFTER + r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}" + _END),
    ("google", ("aiza",), START, KEY, _NOT_AFTER + r"AIza[\w-]{30,}"),
    ("google-oauth", ("gocspx-", "ya29."), START, KEY, _NOT_AFTER + r"(?:GOCSPX-|ya29\.)[\w-]{20,}"),
    (
        "stripe",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
        START,
        KEY,
        _NOT_AFTER + r"(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{10,}",
    ),
    ("npm", ("npm_",), START, KEY, _NOT_AFTER + r"npm_[A-Za-z0-9]{30,}"),
    ("pypi", ("pypi-age",), START, KEY, _NOT_AFTER + r"pypi-AgE[\w-]{30,}"),
    ("hugging-face", ("hf_",), START, KEY, _NOT_AFTER + r"hf_[A-Za-z0-9]{30,}"),
    ("sendgrid", ("sg.",), START, KEY, _NOT_AFTER + r"SG\.[\w-]{16,32}\.[\w-]{16,}"),
    ("twilio", tuple("sk" + digit for digit in "0123456789abcdef"), START, KEY, _NOT_AFTER + r"SK[0-9a-f]{32}" + _END),
    ("twilio-auth", ("twilio",), ANY, KEY, r"(?i:twilio)[^\r\n]{0,40}?" + _NOT_AFTER + r"([0-9a-f]{32})" + _END),
    ("telegram", (":aa",), ANY, KEY, _NOT_AFTER + r"\d{8,10}:AA[\w-]{30,}"),
    (
        "azure",
        ("accountkey=", "sharedaccesskey=", "sharedaccesssignature="),
        ANY,
        KEY,
        r"(?i:accountkey|sharedaccesskey|sharedaccesssignature)=([A-Za-z0-9+/=%&_-]{20,})",
    ),
    ("azure-client", ("q~",), ANY, KEY, r"(?<![\w.~-])([\w.~-]{3}\dQ~[\w.~-]{31,34})(?![\w.~-])"),
    ("digitalocean", ("dop_v1_", "doo_v1_", "dor_v1_"), START, KEY, _NOT_AFTER + r"do[opr]_v1_[0-9a-f]{32,}"),
    (
        "shopify",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        START,
        KEY,
        _NOT_AFTER + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}",
    ),
    (
        "square",
        ("sq0atp-", "sq0csp-", "eaaa"),
        START,
        KEY,
        _NOT_AFTER + r"(?:sq0(?:atp|csp)-[\w-]{20,}|EAAA[\w-]{56,})",
    ),
    (
        "discord",
        ("discord",),
        ANY,
        KEY,
        r"(?i:discord(?:app)?\.com/api/webhooks/)\d{5,30}/([\w-]{20,})"
        r"|(?i:discord)[^\r\n]{0,60}?(?<![\w-])([MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,})",
    ),
    ("atlassian", ("atatt3", "atctt3"), START, KEY, _NOT_AFTER + r"AT[AC]TT3[\w=+/-]{30,}"),
    (
        "prefixed",
        tuple(_PREFIXES.split()),
        START,
        KEY,
        _NOT_AFTER + r"(?:ntn_|lin_api_|figd_|PMAK-|NRAK-|hv[sb]\.|dp\.[ps]t\.|sntry[su]_|gl(?:sa|c)_|gsk_|xai-|pplx-"
        r"|r8_|dckr_pat_|pscale_(?:tkn|pw)_|sbp_|sb_secret_|tvly-|nvapi-|phx_|rubygems_|(?:key-|dapi)(?=[0-9a-f]{32}))"
        r"[\w.=+/-]{20,}",
    ),
    (
        "chinese-clouds",
        ("ltai", "akid", "aklt"),
        START,
        KEY,
        _NOT_AFTER + r"(?:LTAI[A-Za-z0-9]{12,28}|AKID[A-Za-z0-9]{32}|AKLT[A-Za-z0-9]{30,})" + _END,
    ),
    ("age", ("age-secret-key-1",), START, KEY, _NOT_AFTER + r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    ("jwt", ("eyj",), ANY, ALWAYS, r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
    (
        "private-key",
        ("private key",),
        ANY,
        ALWAYS,
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]*(?:-(?!----)[^-]*)*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        # A block that was cut off: the header and whatever lines of base64 there are.
        r"|(?:\s|\\[nr])*(?:[A-Za-z0-9+/=]{16,}(?:\s|\\[nr])*)*(?:[A-Za-z0-9+/]{0,15}=)?)",
    ),
    (
        "authorization",
        ("authorization",),
        SIGN,
        HEADER,
        r"(?i)authorization[\\\"'\]]{0,3}[ \t]{0,4}[:=,][ \t]{0,4}[rbuf]{0,2}[\\\"'`]{0,2}"
        r"(?:(?:bearer|basic|token|digest|apikey|negotiate)[ \t]{1,4})?([^\s\"'`,;\\]{6,})",
    ),
    ("bearer", ("bearer",), ANY, RANDOM, r"(?i)\bbearer[ \t]{1,4}([\w.~+/=-]{12,})"),
    (
        "cookie",
        ("cookie",),
        SIGN,
        RANDOM,
        r"(?i)cookie[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?[\w.-]{1,60}=([^\s;\\\"',]{8,})",
    ),
    ("signature", ("signature=", "sig="), ANY, RANDOM, r"(?i)(?:signature|[?&]sig)=([\w%+/=-]{20,})"),
    ("docker-auth", ('"auth"',), ANY, RANDOM, r"\"auth\"\s{0,4}:\s{0,4}\"([A-Za-z0-9+/=]{12,})\""),
    ("url", ("://",), AT, URL, r"://[^\s/:@\"'`<>]{0,200}:([^\s/\"'`<>,;()]+)@"),
    ("url-token", ("://",), AT, RANDOM, r"://([A-Za-z0-9_-]{24,})(?::[\w-]{0,40})?@"),
    (
        "password",
        ("password", "passwd", "passphrase", "passcode", "pwd", "_pass", "-pass"),
        SIGN,
        PASSWORD,
        r"(?i)" + _PASSWORD_KEY + _SIGN + _VALUE,
    ),
    ("token", ("token", "secret", "credential", "auth", "key"), SIGN, TOKEN, r"(?i)" + _TOKEN_KEY + _SIGN + _VALUE),
    ("password-zh", ("密码", "口令", "密碼"), CHINESE_SIGN, PASSWORD, r"(?:密[码碼]|口令)" + _CHINESE_SIGN + _VALUE),
    (
        "token-zh",
        ("密钥", "令牌", "金鑰", "密鑰", "私钥", "凭证"),
        CHINESE_SIGN,
        TOKEN,
        r"(?:密[钥鑰]|令牌|金鑰|私钥|凭证)" + _CHINESE_SIGN + _VALUE,
    ),
    (
        "spoken-password",
        ("password is", "password to", "password was", "passphrase is", "passphrase to", "pwd is", "pwd to"),
        ANY,
        SPOKEN,
        r"(?i)\b(?:password|passphrase|pwd)[ ](?:is|was|to)(?:[ ]now)?:?[ ]{1,3}" + _VALUE,
    ),
    (
        "spoken-token",
        ("token is", "api key is", "api_key is", "apikey is", "access key is", "secret key is", "secret is"),
        ANY,
        RANDOM,
        r"(?i)\b(?:token|(?:api|access|secret)[ _-]?key|secret)[ ]is(?:[ ]now)?:?[ ]{1,3}" + _VALUE,
    ),
    (
        "option",
        ("--password", "--passwd", "--token", "--secret", "--api-key", "--access-token", "--client-secret"),
        ANY,
        PASSWORD,
        r"--(?:password|passwd|token|secret|api-key|access-token|client-secret)(?P<sign>[ \t]{1,4})" + _VALUE,
    ),
    (
        "user-option",
        ("curl", "wget", "sshpass"),
        ANY,
        PASSWORD,
        r"(?:(?:curl|wget)[ ][^\r\n|]{0,200}?(?:-u|--user)[ ]{0,2}[\"']?[\w.@-]{1,60}:|sshpass[ ]-p[ ]{0,2}[\"']?)"
        r"([^\s\"']{3,})",
    ),
    (
        "netrc",
        ("machine ",),
        ANY,
        PASSWORD,
        r"machine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4}(\S+)",
    ),
    (
        "element",
        ("password>", "passwd>", "secret>", "token>", "key>"),
        ANY,
        PASSWORD,
        r"(?i)<[\w:.-]{0,40}(?:password|passwd|secret|token|api_?key)>([^<>\s]{4,400})</",
    ),
)
