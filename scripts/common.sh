# What every script here begins with: the repository's root, and how to say things.
#
#   source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
#   say "building"          ->  glint: building            (on standard error)
set -euo pipefail
GLINT_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'glint: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# Compiled objects are shared between checkouts: paths below the root are stored relative to it.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$GLINT_ROOT}
export CCACHE_NOHASHDIR=1

# Chromium and its driver, from Debian where they are missing.
need_browser() {
  command -v chromium >/dev/null && command -v chromedriver >/dev/null && return
  say "installing chromium"
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q >/dev/null
  "${as_root[@]}" apt-get install -y -q --no-install-recommends chromium chromium-driver >/dev/null
}

# Python modules in .venv, from the packages of the same names where they are missing.
need_modules() {
  [ -x "$GLINT_ROOT/.venv/bin/pip" ] || python3 -m venv "$GLINT_ROOT/.venv"
  "$GLINT_ROOT/.venv/bin/python" -c "import $(IFS=, && echo "$*")" 2>/dev/null && return
  say "installing $* into .venv"
  "$GLINT_ROOT/.venv/bin/pip" install --quiet --disable-pip-version-check "$@"
}
