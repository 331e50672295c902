#!/usr/bin/env bash
# clang-tidy over the C++ sources that differ from the main branch (or from the last commit, on main itself).
set -euo pipefail
tidy=$1 build=$2
base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
[ "$base" = "$(git rev-parse HEAD)" ] && base=$(git rev-parse HEAD~1 2>/dev/null || git hash-object -t tree /dev/null)
files=$(git diff --name-only --diff-filter=d "$base" -- '*.cpp' | xargs -r -n1 ls 2>/dev/null || true)
known=()
for f in $files; do grep -q "/$f\"" "$build/compile_commands.json" && known+=("$f"); done
[ ${#known[@]} -eq 0 ] && { echo "clang-tidy: no changed source"; exit 0; }
"$tidy" --quiet -p "$build" "${known[@]}"
