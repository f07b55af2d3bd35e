#!/bin/bash
# The demo's model is the output of the generator: gpt_demo_is_generated_test.sh
# GENERATOR MODEL
set -euo pipefail

generator="$1"
model="$2"

if ! diff "$model" <("$generator" --preset demo); then
  echo "models/gpt_demo.mlir is stale; write it again:" >&2
  echo "  models/gpt.py --preset demo -o models/gpt_demo.mlir" >&2
  exit 1
fi
