"""The table of what counts as a secret: data only, so that looking up a literal needs no regular expression.

A rule is `(name, literals, anchor, judge, pattern)`:

- `name`: the kind that the mark names, in letters, digits and `-`;
- `literals`: casefolded; the pattern is compiled only if one stands in the casefolded plain text as `anchor` says;
- `anchor`: `START`, not right after a letter or digit; `SIGN` or `AT`, with one of these characters soon after it;
  `ANY`, anywhere; `RUN` or `LONG_RUN`, where the text also has so long a run of the characters of a key;
- `judge`: who decides whether the value found is a secret or a placeholder, a word or code (`hfa_core.redact.judge`);
- `pattern`: for the plain text with its case kept, ASCII classes. The last group that took part is the value; without
  groups the whole match is. What stands around the value is kept.

Every pattern runs in linear time: what may repeat without a limit is followed by nothing, or starts only at a boundary.
Where several rules find the same secret, the first one in the table names it. The provider forms follow the vendors'
documentation and the public rule sets of gitleaks (MIT).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Rule = tuple[str, tuple[str, ...], str, str, str]

START, SIGN, AT, ANY = "start", ":=", "@", "any"
RUN, LONG_RUN = "run", "long run"
CHINESE_SIGN = ":=是为為成"
ALWAYS, KEY, RANDOM, HEADER = "always", "key", "random", "header"
PASSWORD, TOKEN, SPOKEN, URL, ENTROPY = "password", "token", "spoken", "url", "entropy"

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
_CHINESE_WORDS = ("密码", "密碼", "口令", "密钥", "密鑰", "金鑰", "令牌", "私钥", "凭证")
# Not inside a word, a path, an address or a query; but what `NAME=` assigns.
_KEY_START = r"(?:(?<![\w+/=.-])|(?<=[A-Z0-9_]=))"
_KEY_END = r"(?![\w+/=-])"

# Keys that a vendor marks with a prefix of its own: kind, the prefixes that the look-up needs, the form.
_MARKED: tuple[tuple[str, str, str], ...] = (
    # Model vendors.
    ("anthropic", "sk-ant-", r"sk-ant-[\w-]{16,}"),
    ("openrouter", "sk-or-v1-", r"sk-or-v1-[\w-]{16,}"),
    ("langfuse", "sk-lf-", r"sk-lf-[0-9a-f-]{30,}"),
    ("openai", "sk-", r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{16,}|[A-Za-z0-9]{20,})"),
    ("hugging-face", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("groq", "gsk_", r"gsk_[A-Za-z0-9]{20,}"),
    ("xai", "xai-", r"xai-[\w-]{20,}"),
    ("perplexity", "pplx-", r"pplx-[\w-]{20,}"),
    ("replicate", "r8_", r"r8_[A-Za-z0-9]{20,}"),
    ("nvidia", "nvapi-", r"nvapi-[\w-]{20,}"),
    ("tavily", "tvly-", r"tvly-[\w-]{20,}"),
    ("langsmith", "lsv2_", r"lsv2_(?:pt|sk)_[\w]{30,}"),
    ("cerebras", "csk-", r"csk-[a-z0-9]{30,}"),
    ("fireworks", "fw_", r"fw_[A-Za-z0-9]{20,}"),
    # Git hosts and continuous integration.
    ("github", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,}"),
    ("github-pat", "github_pat_", r"github_pat_\w{22,}"),
    (
        "gitlab",
        "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glagent-",
        r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent)-[\w.-]{18,}",
    ),
    ("bitbucket", "atbb", r"ATBB[A-Za-z0-9]{28,}"),
    ("atlassian", "atatt3 atctt3", r"AT[AC]TT3[\w=+/-]{30,}"),
    ("circleci", "ccipat_ ccipra_", r"CCIP(?:AT|RA)_[\w-]{20,}"),
    ("buildkite", "bkua_ bkpt_", r"bk(?:ua|pt)_[0-9a-f]{36,}"),
    ("sonar", "sqp_ squ_ sqa_", r"sq[pua]_[0-9a-f]{36,}"),
    # Package registries.
    ("npm", "npm_", r"npm_[A-Za-z0-9]{30,}"),
    ("pypi", "pypi-age", r"pypi-AgE[\w-]{30,}"),
    ("rubygems", "rubygems_", r"rubygems_[0-9a-f]{36,}"),
    ("docker", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{20,}"),
    ("nuget", "oy2", r"oy2[a-z0-9]{43}" + _END),
    # Chat and mail.
    ("slack", "xox xapp-", r"(?:xox[abeoprs]|xapp)-[\w-]{10,}"),
    ("sendgrid", "sg.", r"SG\.[\w-]{16,32}\.[\w-]{16,}"),
    ("brevo", "xkeysib-", r"xkeysib-[0-9a-f]{40,}[\w-]*"),
    ("mailgun", "key-", r"key-[0-9a-f]{32}"),
    ("resend", "re_", r"re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}"),
    ("twilio", " ".join("sk" + digit for digit in "0123456789abcdef"), r"SK[0-9a-f]{32}" + _END),
    # Payment and shops.
    (
        "stripe",
        "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
        r"(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{10,}",
    ),
    ("square", "sq0atp- sq0csp- eaaa", r"(?:sq0(?:atp|csp)-[\w-]{20,}|EAAA[\w-]{56,})"),
    ("paypal", "access_token$", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("flutterwave", "flwseck", r"FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,}(?:-X)?"),
    ("plaid", "access-", r"access-(?:production|development|sandbox)-[0-9a-f-]{36}"),
    ("shopify", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"),
    # Clouds.
    ("aws-id", "akia asia abia acca", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}" + _END),
    ("google", "aiza", r"AIza[\w-]{30,}"),
    ("google-oauth", "gocspx- ya29.", r"(?:GOCSPX-|ya29\.)[\w-]{20,}"),
    ("alibaba", "ltai", r"LTAI[A-Za-z0-9]{12,28}" + _END),
    ("tencent", "akid", r"AKID[A-Za-z0-9]{32}" + _END),
    ("volcengine", "aklt", r"AKLT[A-Za-z0-9]{30,}" + _END),
    ("digitalocean", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{32,}"),
    ("heroku", "hrku-", r"HRKU-[\w-]{36,}"),
    ("netlify", "nfp_", r"nfp_[A-Za-z0-9]{36,}"),
    ("fly", "fo1_ fm1_ fm2_", r"(?:fo1|fm[12])_[\w+/=-]{40,}"),
    ("supabase", "sbp_ sb_secret_", r"sb(?:p|_secret)_[\w-]{20,}"),
    ("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{20,}"),
    ("databricks", "dapi", r"dapi(?=[0-9a-f]{32})[\w.-]{20,}"),
    ("pulumi", "pul-", r"pul-[0-9a-f]{40}" + _END),
    # Vaults and operations.
    ("vault", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{20,}"),
    ("doppler", "dp.pt. dp.st. dp.ct. dp.sa.", r"dp\.(?:pt|ct|sa|st(?:\.[\w-]{1,35})?)\.[A-Za-z0-9]{20,}"),
    ("onepassword", "ops_ey", r"ops_eyJ[\w+/=-]{40,}"),
    ("age", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    ("grafana", "glsa_ glc_", r"gl(?:sa|c)_[\w+/=]{20,}"),
    ("sentry", "sntrys_ sntryu_", r"sntry[su]_[\w.=+/-]{20,}"),
    ("newrelic", "nrak-", r"NRAK-[A-Z0-9]{20,}"),
    ("dynatrace", "dt0c01.", r"dt0c01\.[A-Z2-7]{20,}\.[A-Z2-7]{40,}"),
    ("posthog", "phx_", r"phx_[A-Za-z0-9]{30,}"),
    # Work.
    ("notion", "ntn_", r"ntn_[A-Za-z0-9]{30,}"),
    ("linear", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{20,}"),
    ("figma", "figd_", r"figd_[\w-]{20,}"),
    ("postman", "pmak-", r"PMAK-[0-9a-f-]{40,}"),
    ("airtable", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{60,}"),
    ("contentful", "cfpat-", r"CFPAT-[\w-]{40,}"),
)

RULES: tuple[Rule, ...] = (
    *((name, tuple(literals.split()), START, KEY, _NOT_AFTER + form) for name, literals, form in _MARKED),
    ("slack-hook", ("hooks.slack.com",), ANY, KEY, r"hooks\.slack\.com/(?:services|workflows)/([\w/]{20,})"),
    ("teams-hook", ("webhook.office.com",), ANY, KEY, r"webhook\.office\.com/webhookb2/([\w@/-]{40,})"),
    (
        "feishu-hook",
        ("open.feishu.cn", "open.larksuite.com"),
        ANY,
        KEY,
        r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/([\w-]{20,})",
    ),
    ("wecom-hook", ("qyapi.weixin.qq.com",), ANY, KEY, r"qyapi\.weixin\.qq\.com/[\w/.-]{1,60}\?key=([\w-]{20,})"),
    ("dingtalk", ("sec",), START, KEY, _NOT_AFTER + r"SEC[0-9a-f]{64}" + _END),
    ("mailchimp", ("-us",), ANY, KEY, _NOT_AFTER + r"[0-9a-f]{32}-us\d{1,2}" + _END),
    ("twilio-auth", ("twilio",), ANY, KEY, r"(?i:twilio)[^\r\n]{0,40}?" + _NOT_AFTER + r"([0-9a-f]{32})" + _END),
    ("telegram", (":aa",), ANY, KEY, _NOT_AFTER + r"\d{8,10}:AA[\w-]{30,}"),
    (
        "discord",
        ("discord",),
        ANY,
        KEY,
        r"(?i:discord(?:app)?\.com/api/webhooks/)\d{5,30}/([\w-]{20,})"
        r"|(?i:discord)[^\r\n]{0,60}?(?<![\w-])([MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,})",
    ),
    (
        "azure",
        ("accountkey=", "sharedaccesskey=", "sharedaccesssignature="),
        ANY,
        KEY,
        r"(?i:accountkey|sharedaccesskey|sharedaccesssignature)=([A-Za-z0-9+/=%&_-]{20,})",
    ),
    ("azure-client", ("q~",), ANY, KEY, r"(?<![\w.~-])([\w.~-]{3}\dQ~[\w.~-]{31,34})(?![\w.~-])"),
    ("azure-devops", ("azdo",), ANY, KEY, _NOT_AFTER + r"[A-Za-z0-9]{60,80}AZDO[A-Za-z0-9]{4}" + _END),
    ("terraform", (".atlasv1.",), ANY, KEY, _NOT_AFTER + r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}"),
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
    ("password-zh", _CHINESE_WORDS[:3], CHINESE_SIGN, PASSWORD, r"(?:密[码碼]|口令)" + _CHINESE_SIGN + _VALUE),
    (
        "token-zh",
        _CHINESE_WORDS[3:],
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
    (
        "near-secret-word",
        ("secret", "token", "api key", "api-key", "apikey", "credential", "password", "passphrase", *_CHINESE_WORDS),
        RUN,
        ENTROPY,
        r"(?:(?i:secret|token|api[ _-]?key|credential|password|passphrase)|密[码碼钥鑰]|口令|令牌|金鑰|私钥|凭证)"
        r"[^\r\n]{0,40}?" + _KEY_START + r"([A-Za-z0-9+/_-]{20,64}={0,2})" + _KEY_END,
    ),
    ("high-entropy", ("",), LONG_RUN, ENTROPY, _KEY_START + r"([A-Za-z0-9+/_-]{32,}={0,2})" + _KEY_END),
)
