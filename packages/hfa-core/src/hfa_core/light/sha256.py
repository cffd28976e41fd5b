"""SHA-256 without importing `hashlib`, which loads OpenSSL first."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256  # Python 3.12 and newer
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of `data` as 64 hex digits."""
    return sha256(data).hexdigest()
