#!/bin/bash
# A program as processes: the same losses as threads, one message per mistake,
# an end to all ranks when one is killed or Ctrl-C is pressed, nothing left.
#   program_processes_test.sh SBPRUN PROGRAM
set -euo pipefail

sbprun="$PWD/$1"
program="$PWD/$2"
cd "$TEST_TMPDIR"

fail() { echo "FAILED: $*"; exit 1; }

# No NumPy here: headers by hand, 64 bytes less the magic and the length.
npy() {
  local dictionary="{'descr': '<f4', 'fortran_order': False, 'shape': $1, }"
  printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$dictionary"
}
{ npy "(64, 4)"; head -c 1024 /dev/zero | tr '\0' '?'; } > x.npy
{ npy "(64,)"; head -c 256 /dev/zero | tr '\0' '@'; } > t.npy
data=(--data x=x.npy --data t=t.npy --lr 0.01)

# Losses, without the times.
losses() { sed 's/, "samples_per_second.*//' "$1"; }

"$sbprun" -n 4 "$program" "${data[@]}" --json --steps 10 > processes.txt
"$program" "${data[@]}" --json --steps 10 --in-process > threads.txt
[[ $(wc -l < processes.txt) == 10 ]] || fail "$(cat processes.txt)"
diff <(losses processes.txt) <(losses threads.txt) || fail "losses differ"

# Mistakes: one message, exit 1.
refused() {
  local wanted="$1"; shift
  local code=0
  "$@" > out.txt 2> error.txt || code=$?
  [[ $code == 1 ]] || fail "exit $code of $*: $(cat error.txt)"
  [[ $(wc -l < error.txt) == 1 ]] || fail "$(cat error.txt)"
  grep -q "^error: " error.txt || fail "$(cat error.txt)"
  grep -qF -- "$wanted" error.txt || fail "no \"$wanted\" in $(cat error.txt)"
}
refused "is for 4 ranks" "$program" "${data[@]}"
refused "is for 4 ranks" "$sbprun" -n 3 "$program" "${data[@]}"
refused "no data: --data t=FILE" "$sbprun" -n 4 "$program" --data x=x.npy
refused "cannot write /no/such" \
  "$sbprun" -n 4 "$program" "${data[@]}" --save /no/such/file
refused "no entry \"x\"" "$sbprun" -n 4 "$program" "${data[@]}" --entry x
refused "--in-process runs all ranks in one process" \
  "$sbprun" -n 4 "$program" "${data[@]}" --in-process

# A run that would last for days, ended from outside.
start() {
  : > out.txt  # or the steps of the run before would count
  "$sbprun" -n 4 "$program" "${data[@]}" --steps 1000000000 --log-every 1000 \
    > out.txt 2> error.txt &
  launcher=$!
  for _ in $(seq 100); do
    grep -q "^step" out.txt && return
    sleep 0.1
  done
  fail "no step within 10 s: $(cat error.txt)"
}
ended() {
  local begin=$SECONDS code=0
  wait "$launcher" || code=$?
  (( SECONDS - begin <= 5 )) || fail "took $((SECONDS - begin)) s"
  [[ $code != 0 ]] || fail "exit 0"
  [[ -z $(pgrep -P "$launcher") ]] || fail "ranks are left"
  echo "exit $code: $(cat error.txt)"
}

# One line, whoever is told to end.
interrupted() {
  ended
  [[ $(wc -l < error.txt) == 1 ]] || fail "$(cat error.txt)"
  grep -q "^interrupted: rank $1 " error.txt || fail "$(cat error.txt)"
}

start
kill -INT "$launcher"
interrupted "[0-3]"

start
kill -INT "$(pgrep -P "$launcher" | sed -n 3p)"
interrupted 2

start
victim=$(pgrep -P "$launcher" | sed -n 3p)
kill -KILL "$victim"
ended
grep -q "rank 2" error.txt || fail "rank 2 is not named"
