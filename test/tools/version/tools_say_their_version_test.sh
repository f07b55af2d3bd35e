#!/bin/bash
# Every tool prints its name, version, commit and LLVM's version in one line with --version,
# without other arguments: tools_say_their_version_test.sh TOOL...
set -euo pipefail

fail() { echo "FAILED: $*"; exit 1; }

commits=()
for tool in "$@"; do
  line="$("$tool" --version)" || fail "$tool exits with $?"
  [[ "$line" =~ ^"${tool##*/}"\ [0-9]+\.[0-9]+\.[0-9]+\ \(commit\ ([a-z0-9-]+),\ LLVM\ [0-9.]+\)$ ]] ||
    fail "$tool says '$line'"
  commits+=("${BASH_REMATCH[1]}")
done
[[ "$(printf '%s\n' "${commits[@]}" | sort -u | wc -l)" == 1 ]] ||
  fail "the tools are of different commits: ${commits[*]}"
