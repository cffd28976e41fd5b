"""The token that opens the HTTP server: a file for its owner only, read at each request so that replacing it counts."""

from __future__ import annotations

import hmac
import os
import secrets
import stat

from mcp.server.auth.provider import AccessToken

from hfa_core.errors import TokenFileError
from hfa_core.fs.atomic import PRIVATE_FILE, make_folder, write_atomic
from hfa_core.fs.reading import read_bytes

LONGEST_FILE = 4096
SHORTEST_TOKEN = 32
"""Characters; one that is made here has 43, for 32 random bytes."""


class TokenFile:
    """The file of a token, as the SDK's verifier of bearer tokens."""

    def __init__(self, path: str) -> None:
        self.path = path

    def ensure(self) -> None:
        """
        Make the file with a new token if there is none.

        Raises:
            TokenFileError: Others may read the file, or it holds no token. It was left as it was.
            StorageError: It cannot be written.
        """
        if not os.path.lexists(self.path):
            make_folder(os.path.dirname(self.path), private=True)
            write_atomic(self.path, (secrets.token_urlsafe(32) + "\n").encode(), mode=PRIVATE_FILE)
        self.read()

    def read(self) -> str:
        """
        The token.

        Raises:
            TokenFileError: As `ensure`, or the file cannot be read.
        """
        try:
            mode = os.stat(self.path).st_mode
            token = read_bytes(self.path, limit=LONGEST_FILE).decode("ascii", "replace").strip()
        except OSError as error:
            raise TokenFileError(self.path, error.strerror or str(error)) from error
        if os.name != "nt" and stat.S_IMODE(mode) & 0o077:
            raise TokenFileError(
                self.path, "others than its owner may use the file; make it `chmod 600`, with a new token"
            )
        if len(token) < SHORTEST_TOKEN:
            raise TokenFileError(self.path, f"holds no token of at least {SHORTEST_TOKEN} characters")
        return token

    async def verify_token(self, token: str) -> AccessToken | None:
        """The access that a token gives, None for a wrong one; the time it takes does not tell how wrong."""
        try:
            known = self.read()
        except TokenFileError:
            return None
        if not hmac.compare_digest(token.encode(), known.encode()):
            return None
        return AccessToken(token=token, client_id="hfa", scopes=[])
