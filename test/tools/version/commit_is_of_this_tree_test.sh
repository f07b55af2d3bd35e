#!/bin/bash
# The commit that tools name is that of their own sources, and "unknown" if these are no
# clone, even inside another clone: commit_is_of_this_tree_test.sh WORKSPACE_STATUS
set -euo pipefail

status="$PWD/$1"
cd "$TEST_TMPDIR"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CEILING_DIRECTORIES="$TEST_TMPDIR"

fail() { echo "FAILED: $*"; exit 1; }
says() {
  local said
  said="$("$status")"
  [[ "$said" =~ ^COMMIT\ $1$ ]] || fail "'$said' where it should be $1"
}

mkdir unpacked
(cd unpacked && says unknown)

if ! command -v git > /dev/null; then
  echo "skipped the rest: there is no git"
  exit
fi
git init --quiet clone
cd clone
says unknown  # has no commit yet
echo 1 > file
git add file
git -c user.name=somebody -c user.email=nobody@example.com commit --quiet -m one
says '[0-9a-f]+'
mkdir unpacked
(cd unpacked && says unknown)
echo 2 > file
says '[0-9a-f]+-dirty'
