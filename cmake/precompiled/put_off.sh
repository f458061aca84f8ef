#!/usr/bin/env bash
# Puts the making of a precompiled header off until a compiler reads it. ccache itself reads a sum of the
# header's text in its place, so where it has the results of all sources that start from that header, no
# compiler runs and the header is never made: an empty file stands in for it.
#
#   put_off.sh ccache clang++ ... -MF FILE.d -o FILE.pch ...
#                                     FILE.d, FILE.pch.sum, the command that makes FILE.pch, and
#                                     FILE.pch, which when_read.sh fills
#   put_off.sh ccache clang++ ... -o FILE.o ...      runs as it is
set -euo pipefail
launched=("$@")
until [[ ${1##*/} == ccache ]]; do shift; done
shift
make=() scan=()
while [ $# -gt 0 ]; do
  case $1 in
    -o) output=$2; make+=(-o "$2.new"); shift ;;
    -MF) depends=$2; scan+=(-MF "$2"); shift ;;
    -MT) scan+=(-MT "$2"); shift ;;
    -MD) scan+=(-MD) ;;
    -Xclang) make+=(-Xclang "$2"); [ "$2" = -emit-pch ] || scan+=(-Xclang "$2"); shift ;;
    -c | -fpch-*) make+=("$1") ;;
    *) make+=("$1"); scan+=("$1") ;;
  esac
  shift
done
[[ $output == *.pch ]] || exec "${launched[@]}"

"${scan[@]}" -E -o /dev/null
# The texts alone, not where they lie: behind the first line each names a file. CMake's own names paths.
export LC_ALL=C
sed -e 1d -e 's/^ *//' -e 's/ *\\$//' -e '/cmake_pch\.hxx/d' "$depends" | sort -u |
  xargs sha256sum | cut -d' ' -f1 | sort | sha256sum >"$output.sum"
printf '%q ' "${make[@]}" >"$output.command"
rm -f "$output"
touch "$output"
