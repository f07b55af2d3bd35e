#!/bin/bash
# A program as processes: the same losses as threads, one message per mistake,
# no rank of another job or started differently, an end to all ranks when one is
# killed or Ctrl-C is pressed, nothing left.
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

# Started without standard input, output, error: nothing that is meant for people
# goes into a socket or a file.
"$sbprun" -n 4 "$program" "${data[@]}" --steps 3 --save wanted.st > out.txt
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
  eval '"$sbprun" -n 4 "$program" "${data[@]}" --steps 3 --save closed.st' \
    "> out.txt 2> error.txt $closed" || fail "exit $? with $closed"
  cmp closed.st wanted.st || fail "other parameters with $closed"
  rm closed.st
done

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

# Ranks under one launcher that are started differently end at once, all.
code=0
"$sbprun" -n 4 sh -c '"$0" "$@" --seed $((RANK == 2 ? 2 : 1))' \
  "$program" "${data[@]}" > out.txt 2> error.txt || code=$?
[[ $code == 1 ]] || fail "exit $code of different seeds: $(cat error.txt)"
grep -qE "^error: rank 2 was started with --seed 2, but rank 0 at 127.0.0.1:[0-9]+ with --seed 1$" \
  error.txt || fail "$(cat error.txt)"
grep -q "^error: rank 2 (.*) was started with --seed 2, but rank 0 with --seed 1$" \
  error.txt || fail "$(cat error.txt)"
[[ $(wc -l < error.txt) == 2 ]] || fail "$(cat error.txt)"

# Ranks that are started by hand: hand JOB RANK OPTION... leaves what it says in
# JOB.RANK.out and .err, and its exit code in .code.
export WORLD_SIZE=4 MASTER_PORT=$((20000 + RANDOM % 10000)) SBP_CONNECT_TIMEOUT=20
hand() {
  local name="$1.$2" code=0
  RANK=$2 "$program" "${data[@]}" "${@:3}" > "$name.out" 2> "$name.err" || code=$?
  echo "$code" > "$name.code"
}
codes() { cat "$1".[0-3].code | paste -sd' '; }

# What is shown is rank 0's affair: the others need not be told how.
hand shown 0 --steps 10 --json &
hand shown 1 --steps 10 --log-every 3 &
hand shown 2 --steps 10 --profile &
hand shown 3 --steps 10 --wait-timeout 50
wait
[[ $(codes shown) == "0 0 0 0" ]] || fail "$(cat shown.*.err)"
diff <(losses shown.0.out) <(losses threads.txt) || fail "losses differ"

# A rank that is started differently is told so; the others wait for theirs.
{ head -c 1000 x.npy; tail -c +1001 x.npy | tr '?' '@'; } > other.npy
hand seed 1 & hand seed 2 &
SBP_CONNECT_TIMEOUT=4 hand seed 0 &
hand seed 3 --seed 2
RANK=3 "$program" --data x=other.npy "${data[@]:2}" 2> other.err && fail "exit 0"
wait
[[ $(codes seed) == "1 3 3 1" ]] || fail "exit codes $(codes seed)"
[[ ! -s seed.1.err && ! -s seed.2.err ]] || fail "$(cat seed.[12].err)"
grep -q "^error: rank 3 was started with --seed 2, but rank 0 at 127.0.0.1:$MASTER_PORT with --seed 0" \
  seed.3.err || fail "$(cat seed.3.err)"
grep -q "^error: rank 3 was started with --data x other.npy (1152-.*), but rank 0 at .* with --data x x.npy (1152-" \
  other.err || fail "$(cat other.err)"
# Rank 0 does not repeat what is said by one that has proven nothing.
stranger="a process at 127.0.0.1 was started differently, as its own message says"
grep -q "^note: .* has not let in a rank: $stranger$" seed.0.err || fail "$(cat seed.0.err)"
grep -q "^error: .* of 4 ranks did not come .*; not let in: $stranger$" seed.0.err ||
  fail "$(cat seed.0.err)"
grep -q -- "--seed" seed.0.err && fail "$(cat seed.0.err)"

# A rank that waits for the others is told to end: it does, and tells them.
hand alone 0 & hub=$!
until (: < "/dev/tcp/127.0.0.1/$MASTER_PORT") 2> /dev/null; do sleep 0.05; done
kill -TERM "$(pgrep -P "$hub")"
wait
[[ $(cat alone.0.code) == 143 ]] || fail "exit $(cat alone.0.code)"
grep -qx "interrupted: rank 0 (.*) was told to end" alone.0.err ||
  fail "$(cat alone.0.err)"

# Two jobs on one port: the first goes on, the second is told on every rank.
for rank in 1 2 3; do hand first "$rank" --steps 1000000000 & done
hand first 0 --steps 1000000000 --log-every 1000 & hub=$!
until [[ -s first.0.out || -e first.0.code ]]; do sleep 0.1; done
seconds=()
for rank in 0 1 2 3; do hand second "$rank" & seconds+=($!); done
wait "${seconds[@]}"
[[ $(codes second) == "1 1 1 1" ]] || fail "exit codes $(codes second)"
grep -q "cannot listen at 127.0.0.1:$MASTER_PORT" second.0.err ||
  fail "$(cat second.0.err)"
for rank in 1 2 3; do
  grep -q "^error: rank $rank was started with --steps 100, but rank 0 at .* with --steps 1000000000; if that is another job (rank 0 " \
    "second.$rank.err" || fail "$(cat "second.$rank.err")"
done
kill -INT "$(pgrep -P "$hub")"
wait
[[ $(codes first) == "130 3 3 3" ]] || fail "$(cat first.*.err)"
unset WORLD_SIZE MASTER_PORT SBP_CONNECT_TIMEOUT

# A run that would last for days, ended from outside.
start() {
  : > out.txt  # or the steps of the run before would count
  "$sbprun" -n 4 "$program" "${data[@]}" --steps 1000000000 --log-every 1000 \
    > out.txt 2> error.txt &
  launcher=$!
  for _ in $(seq 600); do
    grep -q "^step" out.txt && return
    sleep 0.1
  done
  fail "no step within 60 s: $(cat error.txt)"
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

# Runs that save: whatever ends them, whoever is told, they lose less than the
# steps between two checkpoints, and go on to the same end in every bit.
steps=(--steps 4000 --schedule cosine --seed 3)
saving=(--save run.st --save-every 5 --keep 2 --log-every 1)
"$sbprun" -n 4 "$program" "${data[@]}" "${steps[@]}" --save whole.st > out.txt
start_saving() {
  rm -f run*
  : > out.txt
  "$sbprun" -n 4 "$program" "${data[@]}" "${steps[@]}" "${saving[@]}" \
    > out.txt 2> error.txt &
  launcher=$!
  for _ in $(seq 100); do
    grep -q "^step 2[0-9]/" out.txt && return
    sleep 0.05
  done
  fail "no step 20 within 5 s: $(cat error.txt)"
}
goes_on() {
  local code=0
  wait "$launcher" || code=$?
  went_on "$1" "$code"
}
went_on() {
  local code=$2 last saved
  [[ $code == "$1" ]] || fail "exit $code, not $1: $(cat error.txt)"
  local told="told to end by signal $(($1 - 128)) .*: step [0-9]* of 4000 is saved"
  [[ $1 == 137 ]] || grep -q "^$told in run.st$" error.txt || fail "$(cat error.txt)"
  last=$(grep -o "^step [0-9]*/" out.txt | tail -1 | tr -dc 0-9)
  saved=$(grep -ao '"step":"[0-9]*"' run.st | tr -dc 0-9)
  (( saved + 5 >= last )) || fail "step $last was shown, $saved is saved"
  "$sbprun" -n 4 "$program" "${data[@]}" --load run.st "${saving[@]}" \
    > out.txt 2> error.txt || fail "$(cat error.txt)"
  [[ ! -s error.txt ]] || fail "$(cat error.txt)"
  cmp run.st whole.st || fail "another end"
  [[ -z $(ls | grep "\.partial$") ]] || fail "left: $(ls)"
}
start_saving
kill -INT "$launcher"
goes_on 130
start_saving
kill -TERM "$(pgrep -P "$launcher" | sed -n 2p)"
goes_on 143
start_saving
kill -USR1 "$launcher"
goes_on 138
start_saving
kill -HUP "$launcher"
kill -HUP "$launcher"  # a shell and the kernel both tell of a closed terminal
goes_on 129
start_saving
kill -KILL "$(pgrep -P "$launcher" | sed -n 1p)"  # rank 0, which saves
goes_on 137

# Nobody reads what it prints any more, be it one rank's affair or the launcher's.
rm -f run*
code=0
{
  "$sbprun" -n 4 "$program" "${data[@]}" "${steps[@]}" "${saving[@]}" \
    2> error.txt || echo $? > code.txt
} | head -n 30 > out.txt
went_on 141 "$(cat code.txt)"
code=0
{ "$sbprun" -n 4 "$program" "${data[@]}" "${steps[@]}" --log-every 1 2> error.txt ||
  echo $? > code.txt; } | head -n 3 > out.txt
[[ $(cat code.txt) == 141 ]] || fail "exit $(cat code.txt): $(cat error.txt)"
[[ $(wc -l < error.txt) == 1 ]] || fail "$(cat error.txt)"

# Under nohup it goes on.
(trap '' HUP; exec "$sbprun" -n 4 "$program" "${data[@]}" --steps 1000000000 \
  --log-every 1000 > out.txt 2> error.txt) & launcher=$!
until [[ -s out.txt ]]; do sleep 0.05; done
kill -HUP "$launcher" $(pgrep -P "$launcher")
sleep 0.5
kill -INT "$launcher" || fail "SIGHUP has ended it: $(cat error.txt)"
wait "$launcher" && fail "exit 0"
[[ $(wc -l < error.txt) == 1 ]] || fail "$(cat error.txt)"

# A data file that is cut while it is read.
cp x.npy cut.npy
: > out.txt
"$sbprun" -n 4 "$program" --data x=cut.npy "${data[@]:2}" --steps 1000000000 \
  --log-every 1000 > out.txt 2> error.txt & launcher=$!
until [[ -s out.txt ]]; do sleep 0.05; done
: > cut.npy
code=0
wait "$launcher" || code=$?
[[ $code == 1 ]] || fail "exit $code: $(cat error.txt)"
grep -qx "error: cannot read cut.npy: it had 1152 bytes, and became shorter" \
  error.txt || fail "$(cat error.txt)"

# One that cannot save when it is told to end has failed.
mkdir gone
: > out.txt
"$sbprun" -n 4 "$program" "${data[@]}" --steps 1000000000 --log-every 1000 \
  --save gone/run.st > out.txt 2> error.txt &
launcher=$!
until [[ -s out.txt ]]; do sleep 0.05; done
rm -r gone
kill -TERM "$launcher"
code=0
wait "$launcher" || code=$?
[[ $code == 1 ]] || fail "exit $code: $(cat error.txt)"
grep -q "^error: cannot write gone/run.st: " error.txt || fail "$(cat error.txt)"

start
kill -INT "$(pgrep -P "$launcher" | sed -n 3p)"
interrupted 2

start
victim=$(pgrep -P "$launcher" | sed -n 3p)
kill -KILL "$victim"
ended
grep -q "rank 2" error.txt || fail "rank 2 is not named"
