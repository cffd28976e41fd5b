"""SHA-256 without importing `hashlib`, which loads OpenSSL first."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    # Asked for by version: a look-up that fails searches every folder of the path.
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:
        from hashlib import sha256


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of `data` as 64 hex digits."""
    return sha256(data).hexdigest()
