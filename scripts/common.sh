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
