#!/usr/bin/env bash
# Runs a compiler, and writes behind a precompiled header what its text sums to.
#
#   with_sum.sh clang++ ... -MF FILE.d -o FILE.pch ...      makes FILE.pch and FILE.pch.sum
set -euo pipefail
"$@"
output='' depends=''
while [ $# -gt 0 ]; do
  case $1 in
    -o) output=$2 ;;
    -MF) depends=$2 ;;
  esac
  shift
done
[[ $output == *.pch ]] || exit 0
# The texts alone, not where they lie: behind the first line each names a file. CMake's own names paths.
export LC_ALL=C
sed -e 1d -e 's/^ *//' -e 's/ *\\$//' -e '/cmake_pch\.hxx/d' "$depends" | sort -u |
  xargs sha256sum | cut -d' ' -f1 | sort | sha256sum >"$output.sum"
