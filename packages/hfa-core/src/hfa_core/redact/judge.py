"""The judgement whether a value that stands where a secret would is one, or a placeholder, an ordinary word or code."""

from __future__ import annotations

import math
import re
from itertools import pairwise

from hfa_core.redact.rules import ALWAYS, ENTROPY, HEADER, KEY, PASSWORD, SPOKEN, TOKEN, URL

_PLACEHOLDER = re.compile(
    # Variables and templates: ${X}, $(cmd), $X, <x>, {x}, {{ x }}, %X%, %(x)s, %s, @x@, [x], :x; then options: --x.
    r"\$[{(].*|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|<.*|#?\{.*|%[A-Za-z_]+%?|%\(.*|(?:%[sdr][^\w%]*)+|@[\w.]+@|\[\w*\]?|:\w+|&?\w?"
    r"|--?[a-z][\w/-]*"
    # Stand-ins: ..., ***, xxx, sk-xxx; then your-key-here, changeme.
    r"|\.{2,}|[xX*\u2022.\-_#?0=]+|(?:.*[_-])?(?:x{3,}|\*{3,})(?:[_-].*)?"
    r"|(?:your|my|the|some|an?|insert|enter|change|replace|put|fake|dummy|example)"
    r"(?:[ _-]?(?:me|it|own|here|super|secret|pass(?:word)?|token|api|access|client|key|id|value|a|the|your|with))*"
    r"(?:[ _-]?\d{0,3})",
    re.ASCII | re.IGNORECASE,
)
_CODE = re.compile(
    r"[&*(!]{0,3}[A-Za-z_][\w.]*(?:::\w+)*[(\[<{].*|[A-Za-z_]\w*(?:\.[a-z_]+)+|[A-Za-z_]\w*(?:::\w+)+"
    r"|(?:self|this|cfg|config|settings|os|process|env|args|opts|options|request|req|data|ctx|params|props|state|secrets"
    r"|vars?)\.[\w.]+",
    re.ASCII,
)
_PATH = re.compile(
    r"(?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@ -]*)+|(?:~|\.{1,2})/.*|[A-Za-z]:[\\/].*|[a-z][a-z0-9+.-]{1,20}://.*"
)
# Words as prose, identifiers and file names have them: letters in one case or with a capital, a short number after.
_WORD = r"(?:[A-Z]?[a-z]{1,16}(?:[A-Z][a-z]{1,16})*|[A-Z]{1,16})\d{0,4}|\d{1,4}[A-Za-z]?"
_WORDS = re.compile(rf"(?:{_WORD})?(?:[\-_./:+=@#~ ]+(?:{_WORD})?)*", re.ASCII)
_SPLIT = re.compile(r"[\-_./:+=@#~ ]+")
_MIXED_CASE = re.compile(r"[a-z].*[A-Z].*[a-z]|[A-Z].*[a-z].*[A-Z]")
_METHOD = re.compile(
    r"(?:sha|aes|rsa|md|hs|rs|es|ed|utf|base|oauth|argon|pbkdf|hmac|chacha|poly|blake|ecdsa|ecdh)\d{1,5}[a-z]{0,4}\d{0,4}"
    r"|(?:x|tls|ssl|http|v|rfc|p)\d{1,5}(?:[.v]\d{1,3}){0,3}"
    r"|(?:bcrypt|scrypt|hashed|encrypted|encoded|signed|based|protected|only|less|free)",
    re.ASCII | re.IGNORECASE,
)
_ORDINARY = """
none null nil true false undefined required optional str string strings bytes text int integer number bool boolean
object any secretstr securestring varchar char empty blank missing invalid expired expires valid wrong correct
incorrect changed unchanged updated rotated hidden masked redacted removed secret secrets token tokens password
passwords passwd pwd passphrase key keys value values name type field todo tbd yes no ok on off default disabled
enabled input prompt hash hashed encrypted plain plaintext env environ environment config bearer basic digest oauth
oauth2 jwt uuid md5 sha1 sha256 sha512 bcrypt scrypt argon2 argon2id hs256 rs256 es256 base64 utf8 ascii username user
email login await async new return self this authentication authorization header credentials credential auth request
response must should may can will not never always the a an is are was only if when with from use see forgotten weak
strong short long old unknown unset set reset read write refresh access identifier eof
"""
_NOT_SECRET = frozenset(_ORDINARY.split())
# Words of a label or message about a password, which a passphrase hardly holds.
_MESSAGE_WORDS = "password passwords passphrase your must should may enter required invalid wrong is are the"
_MESSAGE = frozenset(_MESSAGE_WORDS.split())
# Keys that vendors print in their documentation: `...EXAMPLE...`, the token on jwt.io, the one in Stripe's guides.
_DOCUMENTED = ("example", "eyjzdwiioiixmjm0nty3odkwi", "4ec39hqlyjwdarjtt1zdp7dc")
# Digests, images and public keys look as random as keys; what stands before them or begins them tells.
_DIGEST_WORDS = re.compile(
    r"sha-?\d|md5|digest|checksum|hash|integrity|etag|fingerprint|commit|base64|icon|image|png|svg|font|public|ssh-|nonce"
    r"|\bh1:|\bcid\b|ipfs|摘要|校验|哈希|指纹|图标|图片|公钥",
    re.IGNORECASE,
)
_DIGEST_STARTS = (
    *("sha1-", "sha224-", "sha256-", "sha384-", "sha512-", "AAAA", "iVBOR", "R0lGOD", "/9j/", "PHN2Z", "PD94", "UklGR"),
    *("d09GM", "JVBER", "Qm", "bafy", "_Z", "_R"),
)
_LONGEST_KEY = 128
LONGEST = 200  # choice: a longer value is judged by its beginning, so that judging stays cheap


def is_secret(judge: str, value: str, *, sign: str, quote: str, before: str, after: str) -> bool:
    """Whether `value` is to be redacted.

    Args:
        judge: The last but one field of the rule that found it.
        value: What was found, without its quotes.
        sign: What stands between the key and the value; empty if the rule does not say.
        quote: The quote that surrounds the value; empty if there is none.
        before: What stands before the value on its line, at most a few words.
        after: The rest of the line behind the value, at most a few characters.
    """
    core = value[:LONGEST].strip("*` \t")
    if judge == ENTROPY:
        return not _DIGEST_WORDS.search(before) and _is_like_noise(value) and not _is_documented(core)
    if len(core) < 3 or core.startswith("[REDACTED") or _PLACEHOLDER.fullmatch(core) or _is_documented(core):
        return judge == ALWAYS and not _is_documented(core)
    # What was redacted inside a value must not change how the rest of it is judged.
    core = core.replace("[REDACTED]", "x")
    if judge in (ALWAYS, URL, KEY):
        return judge != KEY or (len(set(core)) > 6 and not _is_wordy(core))
    if core.casefold() in _NOT_SECRET or _PATH.fullmatch(core) or (quote in ("", "`") and _CODE.fullmatch(core)):
        return False
    if judge == PASSWORD:
        return _is_password(core, sign, bool(quote), after)
    if judge == TOKEN:
        return _is_token(core, sign, bool(quote))
    if judge == SPOKEN:
        return _is_spoken(core)
    return _is_random(core, 8) or (judge == HEADER and len(core) >= 12 and len(_SPLIT.split(core)) == 1)


def _is_spoken(value: str) -> bool:
    """Whether the word after "the password is" can be meant as the password: it has a digit and is no phrase."""
    return len(value) >= 5 and _has_digit(value) and not (value.isdigit() or _is_phrase(value) or _is_method(value))


def _is_password(value: str, sign: str, quoted: bool, after: str) -> bool:
    if " " in value:
        words = value.casefold().replace(",", " ").replace(".", " ").split()
        return len(value) <= 64 and _MESSAGE.isdisjoint(words)
    if len(value) < 4 or _is_method(value) or (len(value) < 6 and _is_phrase(value)):
        return False
    if _has_digit(value) or any(not (char.isalnum() or char in "-_.") for char in value):
        return True
    return not _is_phrase(value) and (quoted or _stands_alone(value, sign, after))


def _stands_alone(value: str, sign: str, after: str) -> bool:
    """Whether a word of letters is the whole value of a setting, not a word of prose or the name of a variable."""
    if after[:1] == " " and after.strip()[:1] > "\x7f":
        return False
    if not after.strip() or after[0] in "&;" or (len(value) >= 8 and _MIXED_CASE.search(value)):
        return True
    tight = sign in ("=", " ") or (bool(sign) and sign[0] in "是为為成改设就应还仍更重修")
    return tight and after[0] not in ",)]}"


def _is_token(value: str, sign: str, quoted: bool) -> bool:
    if " " in value or value.isdigit() or _is_method(value):
        return False
    if _is_random(value, 6):
        return True
    # Such as `SECRET=demo1234`: one word with a number, in the form of a setting.
    return (quoted or sign == "=") and len(value) >= 6 and _has_digit(value) and len(_SPLIT.split(value)) == 1


def _is_random(value: str, least: int) -> bool:
    """Whether `value` has at least `least` letters and digits and is not made of words."""
    return sum(char.isalnum() for char in value) >= least and not _is_wordy(value) and " " not in value


def _is_documented(value: str) -> bool:
    """Whether a long value is from a vendor's documentation; a short one may be a password that says `example`."""
    return len(value) >= 16 and any(known in value.casefold() for known in _DOCUMENTED)


def _is_like_noise(value: str) -> bool:
    """
    Whether a bare run of a key's characters is as random as a generated key: letters of both cases and digits, changing
    more often than in any name, and too short for an image or a certificate.

    choice: of random letters and digits 62 % differ in class from the one before them, in names hardly 30 %; the
    entropy of 32 random ones is 4.6 bits.
    """
    if len(value) > _LONGEST_KEY or value.startswith(_DIGEST_STARTS):
        return False
    classes = ["d" if char.isdigit() else "l" if char.islower() else "u" if char.isupper() else "s" for char in value]
    if min(classes.count("l"), classes.count("u"), classes.count("d")) < 2:
        return False
    changes = sum(one != other for one, other in pairwise(classes))
    counts = [value.count(char) for char in set(value)]
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
    return changes >= 0.42 * len(value) and entropy >= 0.75 * math.log2(len(value))


def _is_wordy(value: str) -> bool:
    return _WORDS.fullmatch(value) is not None


def _is_phrase(value: str) -> bool:
    """Whether `value` is several words joined, such as `new_password` or `must-have`."""
    return len([piece for piece in _SPLIT.split(value) if piece]) > 1 and _is_wordy(value)


def _is_method(value: str) -> bool:
    """Whether `value` names how something is protected, such as `sha256` or `AES-256-GCM`."""
    joined = value.replace("-", "").replace("_", "")
    return _METHOD.fullmatch(joined) is not None or (
        _is_phrase(value) and any(_METHOD.fullmatch(piece) for piece in (*_SPLIT.split(value), joined))
    )


def _has_digit(value: str) -> bool:
    return any(char.isdigit() for char in value)
