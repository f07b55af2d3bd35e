#!/bin/bash
# What Bazel asks at each build (--workspace_status_command): which commit is this?
#
# "unknown" where the tree is no clone, as in a tarball of the sources, even when that
# lies inside a clone of something else.
commit=unknown
if [[ "$(git rev-parse --show-toplevel 2>/dev/null)" == "$(pwd -P)" ]]; then
  # "-dirty": the sources are not those of the commit.
  commit="$(git describe --always --dirty --exclude='*' 2>/dev/null || echo unknown)"
fi
echo "COMMIT $commit"
