#!/bin/sh
# Make the virtual environment and install the workspace into it; run again, it only brings things up to date.
set -eu
venv=$1
fail() { echo "setup: $1" >&2; exit 1; }

command -v "$PYTHON" >/dev/null 2>&1 || fail "no '$PYTHON' found: install Python 3.10 or newer, or name it with PYTHON=..."
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    fail "$("$PYTHON" --version 2>&1) is too old: install Python 3.10 or newer, or name it with PYTHON=..."
command -v git >/dev/null 2>&1 || fail "git is missing: install git"
"$PYTHON" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "Python's venv module is missing: install it (on Debian and Ubuntu: apt install python3-venv)"

[ -x "$venv/bin/python" ] || { echo "setup: making $venv" >&2; "$PYTHON" -m venv "$venv"; }
if command -v uv >/dev/null 2>&1 && uv sync --help 2>/dev/null | grep -q -- --all-packages; then
    uv=uv
else
    uv=$venv/bin/uv
    [ -x "$uv" ] || { echo "setup: getting uv" >&2; "$venv/bin/python" -m pip install --quiet --disable-pip-version-check uv; }
fi
# --inexact keeps the uv that lives in the same environment.
sync() { "$uv" sync --quiet --locked --inexact --all-packages --compile-bytecode --python "$venv/bin/python" "$@"; }
# Where an extra has no wheel, such as the vocabulary's on musl, everything but exact token counts works without it.
sync --all-extras --no-build-package bpe-openai || { echo "setup: going on without the extras" >&2; sync; }
# Editable sources are not compiled by uv; a hook must never have to.
"$venv/bin/python" -m compileall -q packages/*/src
touch "$venv/.ready"
