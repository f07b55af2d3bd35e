#!/bin/bash
# A program prints the identity of its plan, and the version of its sbpc, with --version:
# programs_say_who_made_them_test.sh SBPC MODEL
set -euo pipefail

sbpc="$1"
model="$2"
folder="$TEST_TMPDIR"

fail() { echo "FAILED: $*"; exit 1; }

# Prints the version of a program for N ranks, from the file "name".
version_of() {
  "$sbpc" "$model" -n "$1" -o "$folder/$2"
  "$folder/$2" --version
}

one="$(version_of 1 one)"
[[ "$one" == "mlp, plan "*", 1 rank, by $("$sbpc" --version)" ]] || fail "one says '$one'"
[[ "$(version_of 1 again)" == "$one" ]] || fail "the same plan has two identities"

two="$(version_of 2 two)"
identity() { grep -o 'plan [0-9a-f]\{16\}' <<< "$1"; }
[[ "$(identity "$one")" != "$(identity "$two")" ]] || fail "two plans have one identity"
