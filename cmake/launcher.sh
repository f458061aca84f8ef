#!/bin/sh
# Starts Glint from wherever this folder lies: with the system's C library where that is new enough
# (2.@NEEDED@), else with the one that came along.
self=$0
[ -L "$self" ] && self=$(readlink -f "$self")
here=$(cd "${self%/*}" 2>/dev/null && pwd) || here=.
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null)
case $libc in
  "glibc 2."*)
    minor=${libc#glibc 2.}
    [ "${minor%%.*}" -ge @NEEDED@ ] && exec "$here/bin/glint" "$@"
    ;;
esac
exec "$here/lib/base/ld-linux-x86-64.so.2" --argv0 "$0" --library-path "$here/lib/base:$here/lib" \
  "$here/bin/glint" "$@"
