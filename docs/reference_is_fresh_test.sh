#!/bin/bash
# The committed reference pages equal those that the code generates now:
# reference_is_fresh_test.sh PAGE...
set -euo pipefail

stale=0
for page in "$@"; do
  diff "docs/$page" "docs/generated/$page" || stale=1
done

if ((stale)); then
  echo "reference pages are stale; renew them with tools/update-docs" >&2
  exit 1
fi
