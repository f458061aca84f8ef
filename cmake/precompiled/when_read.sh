#!/usr/bin/env bash
# Runs a compiler, after it has made what put_off.sh has put off of the precompiled headers among its
# arguments. ccache runs all that it does not know by this.
#
#   when_read.sh clang++ ... -Xclang -include-pch -Xclang FILE.pch ...
set -euo pipefail
for file in "$@"; do
  [[ $file == *.pch && ! -s $file ]] || continue
  exec {lock}>"$file.lock"
  flock "$lock"
  if [ ! -s "$file" ]; then
    bash "$file.command"
    # As old as what stood in for it: nothing that was compiled before is out of date.
    touch -r "$file" "$file.new"
    mv "$file.new" "$file"
  fi
  exec {lock}>&-
done
exec "$@"
