#!/bin/bash
# A program answers --version with the identity of its plan and the sbpc that made it:
# programs_say_who_made_them_test.sh SBPC MODEL
set -euo pipefail

sbpc="$1"
model="$2"
folder="$TEST_TMPDIR"

fail() { echo "FAILED: $*"; exit 1; }

# What a program for so many ranks says, from the file "name".
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
