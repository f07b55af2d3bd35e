#!/bin/bash
# ptxas-report prints the report of ptxas on each kernel, exits with 1 if a kernel spills or
# is refused, and checks nothing without a ptxas: report_test.sh ptxas-report
set -euo pipefail

report="$(realpath "$1")"
cd "$TEST_TMPDIR"
fail() { echo "FAILED: $*"; exit 1; }

# A fake ptxas that finds one kernel per file, with the spilled bytes in the file's comment.
cat >ptxas <<'END'
#!/bin/bash
for file in "$@"; do [[ "$file" == *.ptx ]] && break; done
[[ "$*" == "-v -arch sm_80 $file -o /dev/null" ]] || { echo "called with $*"; exit 1; }
if ! spilled="$(sed -n 's|^// spills ||p' "$file" | grep .)"; then
  echo "ptxas fatal : Ptx assembly aborted"
  exit 255
fi
cat >&2 <<TEXT
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'f' for 'sm_80'
ptxas info    : Function properties for f
    0 bytes stack frame, $spilled bytes spill stores, $spilled bytes spill loads
ptxas info    : Used 31 registers, used 1 barriers, 8192 bytes smem, 376 bytes cmem[0]
TEXT
END
chmod +x ptxas
export PTXAS="$PWD/ptxas"
printf '.version 7.0\n.target sm_80\n// spills 0\n' >right.ptx
printf '.version 7.0\n.target sm_80\n// spills 8\n' >spills.ptx
printf '.version 7.0\n.target sm_80\nnonsense\n' >refused.ptx
printf 'int main() {}\n' >none.ptx

expect() { # STATUS PATTERN ARGUMENT...
  local status=0 text
  text="$("$report" "${@:3}" 2>&1)" || status=$?
  [[ "$status" == "$1" ]] || fail "ptxas-report ${*:3} ends with $status: $text"
  grep -qE -- "$2" <<<"$text" || fail "ptxas-report ${*:3} says no '$2': $text"
}

expect 0 '^sm_80 +31 +8192 +1 +0  f$' right.ptx
expect 1 '^sm_80 +31 +8192 +1 +16  f$' right.ptx spills.ptx
expect 0 '^sm_80 +31 +8192 +1 +16  f$' --most-spilled 16 right.ptx spills.ptx
expect 1 '^refused.ptx: ptxas fatal : Ptx assembly aborted$' refused.ptx right.ptx
expect 1 '^none.ptx: is no PTX: it has no line .target$' none.ptx
expect 1 '^absent.ptx: No such file or directory$' absent.ptx
expect 1 '^ptxas-report: /nowhere/ptxas is no program that can be run$' \
  --ptxas /nowhere/ptxas right.ptx
unset PTXAS
mkdir empty
nothing="$(PATH="$PWD/empty" /usr/bin/python3 "$report" right.ptx)" ||
  fail "without a ptxas it ends with $?"
[[ "$nothing" == "ptxas-report: there is no ptxas here; nothing is checked" ]] ||
  fail "without a ptxas it says '$nothing'"
