#!/bin/bash
# The runtime object and a program object make an executable that runs, throws
# and catches, and needs libc alone:
#   runtime_object_test.sh LD.LLD RUNTIME.O PROGRAM.O
set -euo pipefail

linker="$PWD/$1"
runtime="$PWD/$2"
program="$PWD/$3"

lib=/usr/lib/x86_64-linux-gnu
cd "$TEST_TMPDIR"
"$linker" -pie -o program -s --gc-sections --eh-frame-hdr -z relro \
  -dynamic-linker /lib64/ld-linux-x86-64.so.2 \
  "$lib/Scrt1.o" "$lib/crti.o" "$runtime" "$program" \
  /lib/x86_64-linux-gnu/libc.so.6 \
  /lib64/ld-linux-x86-64.so.2 "$lib/crtn.o"

fail() { echo "FAILED: $*"; exit 1; }

needed=$(ldd ./program | awk '{print $1}' | sort | tr '\n' ' ')
[[ "$needed" == "/lib64/ld-linux-x86-64.so.2 libc.so.6 linux-vdso.so.1 " ]] ||
  fail "needs $needed"

./program --help > help.txt || fail "--help"
grep -q -- --steps help.txt || fail "--help does not name --steps"

# The command line's errors are exceptions inside.
if ./program --no-such-option 2> error.txt; then fail "took any option"; fi
grep -q -- --no-such-option error.txt || fail "message: $(cat error.txt)"
# It computes: 1, 2, 3, 4 doubled, in .npy files.
{
  printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' \
    "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
  printf '\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40'
} > x.npy
./program --data x=x.npy --dump y=y.npy || fail "run"
doubled=$(tail -c 16 y.npy | od -An -tf4 | tr -s ' \n' ' ')
[[ "$doubled" == " 2 4 6 8 " ]] || fail "1 2 3 4 doubled is $doubled"

# Ranks as threads, and a user's mistake.
./program --in-process --data x=x.npy || fail "--in-process"
code=0
./program 2> error.txt || code=$?
[[ $code == 1 ]] || fail "exit code $code without data"
grep -q "has no data: --data x=FILE" error.txt || fail "message: $(cat error.txt)"
echo "$(stat -c %s program) bytes"
