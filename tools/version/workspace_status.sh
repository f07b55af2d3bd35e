#!/bin/bash
# Prints the commit of the sources, for Bazel at each build (--workspace_status_command).
#
# The commit is "unknown" if the tree is no clone, such as a tarball of the sources, even
# inside a clone of another project.
commit=unknown
if [[ "$(git rev-parse --show-toplevel 2>/dev/null)" == "$(pwd -P)" ]]; then
  # "-dirty" means that the sources differ from those of the commit.
  commit="$(git describe --always --dirty --exclude='*' 2>/dev/null || echo unknown)"
fi
echo "COMMIT $commit"
