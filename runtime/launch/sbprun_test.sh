#!/bin/bash
# Runs sbprun as a user would: checks what it sets and returns, and that nothing is left
# of a job, however it ends.
#
# usage: sbprun_test.sh SBPRUN LOOPING_RANK
set -u
sbprun=$1
loop=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect WHAT ACTUAL EXPECTED
expect() {
  if [[ "$2" != "$3" ]]; then
    echo "FAILED: $1: got '$2', expected '$3'"
    failures=$((failures + 1))
  fi
}

# expect_text WHAT FILE TEXT
expect_text() {
  if ! grep -qF -- "$3" "$2"; then
    echo "FAILED: $1: no '$3' in:"
    cat "$2"
    failures=$((failures + 1))
  fi
}

# Prints the processes of this test's looping rank that still run.
num_left() { pgrep -f "^$loop" | wc -l; }

# Starts a looping job in the background: $job is its launcher, $work/out has a
# line per rank once all run.
start_job() {
  : >"$work/out" # removes the lines of the job before
  "$sbprun" -n "$1" --grace 3 "$loop" "$1" >"$work/out" 2>"$work/err" &
  job=$!
  for _ in $(seq 300); do
    [[ $(wc -l <"$work/out") -ge $1 ]] && return
    sleep 0.05
  done
  echo "FAILED: the job did not start"; cat "$work/err"; exit 1
}
pid_of_rank() { # prints the process that has this rank in its environment
  local pid
  for pid in $(pgrep -P "$job"); do
    tr '\0' '\n' <"/proc/$pid/environ" | grep -qx "RANK=$1" && echo "$pid"
  done
}

# ---- The environment of the ranks ----
"$sbprun" -n 3 sh -c 'echo $RANK/$WORLD_SIZE/$LOCAL_RANK/$MASTER_ADDR' | sort >"$work/ranks"
expect "environment" "$(paste -sd' ' "$work/ranks")" "0/3/0/127.0.0.1 1/3/1/127.0.0.1 2/3/2/127.0.0.1"
"$sbprun" -n 2 --nodes 2 --node-rank 1 --master-addr hub --master-port 77 \
  sh -c 'echo $RANK/$WORLD_SIZE/$MASTER_ADDR:$MASTER_PORT' | sort >"$work/ranks"
expect "second host" "$(paste -sd' ' "$work/ranks")" "2/4/hub:77 3/4/hub:77"
"$sbprun" -n 2 sh -c 'echo $SBP_JOB_SECRET' >"$work/secrets"
"$sbprun" -n 2 sh -c 'echo $SBP_JOB_SECRET' >>"$work/secrets"
expect "a secret of each job" "$(grep -xE '[0-9a-f]{64}' "$work/secrets" | sort -u | wc -l)" 2
SBP_JOB_SECRET=given "$sbprun" -n 1 --nodes 2 --node-rank 1 --master-addr hub \
  sh -c 'echo $SBP_JOB_SECRET' >"$work/secrets"
expect "the user's secret, on several hosts" "$(cat "$work/secrets")" "given"
expect "standard input" "$(echo hello | "$sbprun" -n 2 cat)" "hello"

# ---- Exit codes ----
"$sbprun" -n 2 true; expect "success" $? 0
"$sbprun" -n 3 sh -c 'exit $((RANK == 1 ? 42 : 0))' 2>"$work/err"; expect "exit code" $? 42
expect_text "exit code" "$work/err" "sbprun: rank 1 (pid"
"$sbprun" -n 2 ./no-such-program 2>"$work/err"; expect "no program" $? 1
expect "no program: message" "$(cat "$work/err")" "error: cannot run ./no-such-program: No such file or directory"
"$sbprun" -n 2 sh -c '[ $RANK = 0 ] || exit 1; echo "error: no disk" >&2; exit 1' 2>"$work/err"
expect "a rank that says why" $? 1
expect "a rank that says why: message" "$(cat "$work/err")" "error: no disk"
"$sbprun" -n 2 2>"$work/err"; expect "no command" $? 1
"$sbprun" -n 0 true 2>"$work/err"; expect "no ranks" $? 1
"$sbprun" -n 2 --nodes 2 --node-rank 2 --master-addr a true 2>"$work/err"; expect "node rank" $? 1
expect_text "node rank" "$work/err" "is 2 of 2 hosts"
"$sbprun" --help >"$work/out"; expect "help" $? 0
expect_text "help" "$work/out" "sbprun -n 8 ./gpt"
expect_text "help" "$work/out" "Usage: sbprun [OPTIONS] PROGRAM [ARGS...]"

# ---- A wrong number of ranks is one error ----
"$sbprun" -n 3 "$loop" 4 2>"$work/err"; expect "wrong size" $? 1
expect_text "wrong size" "$work/err" "the program is for 4 ranks, the world that"
expect "wrong size: lines" "$(grep -c 'is for 4 ranks' "$work/err")" 1

# ---- A killed rank ----
for victim in 0 2; do
  start_job 4
  pid=$(pid_of_rank $victim)
  begin=$(date +%s%N)
  kill -9 "$pid"
  wait "$job"; expect "killed rank $victim" $? 137
  expect "killed rank $victim within 5 s" $((($(date +%s%N) - begin) / 1000000 < 5000)) 1
  expect_text "killed rank $victim" "$work/err" "error: rank $victim (host $(hostname), pid $pid) died"
  expect_text "killed rank $victim" "$work/err" "sbprun: rank $victim (pid $pid) was ended by signal 9"
  expect "killed rank $victim: left" "$(num_left)" 0
done

# ---- A stopped rank ----
start_job 3
pid=$(pid_of_rank 1)
begin=$(date +%s%N)
kill -STOP "$pid"
wait "$job"; expect "stopped rank" $? 137
expect "stopped rank within 10 s" $((($(date +%s%N) - begin) / 1000000 < 10000)) 1
expect_text "stopped rank" "$work/err" "error: rank 1 (host $(hostname), pid $pid) stalled"
expect "stopped rank: left" "$(num_left)" 0

# ---- A stopped rank that shares no memory with the others: only sbprun can end it ----
export SBP_HEARTBEAT_TIMEOUT=1 SBP_TRANSPORT=ucx
start_job 3
pid=$(pid_of_rank 1)
kill -STOP "$pid"
wait "$job"; expect "stopped rank over ucx" $? 137
expect_text "stopped rank over ucx" "$work/err" "error: rank 1 (host $(hostname), pid $pid) stalled"
expect "stopped rank over ucx: waited for" "$(grep -c 'did not end within' "$work/err")" 0
expect "stopped rank over ucx: left" "$(num_left)" 0
unset SBP_HEARTBEAT_TIMEOUT SBP_TRANSPORT

# ---- Ctrl-C, a kill of the launcher ----
start_job 3
kill -INT "$job"
wait "$job"; expect "interrupted" $? 130
expect "interrupted: left" "$(num_left)" 0
start_job 3
kill -TERM "$job"
wait "$job"; expect "terminated" $? 143
# The looping rank does not catch the signal, so a rank that gets it a moment later may see
# another one die. sbprun still prints one line.
expect "terminated: message" "$(grep -v '^error: rank' "$work/err")" "sbprun: ended by signal 15 (Terminated)"
start_job 3
kill -9 "$job"
wait "$job" 2>/dev/null
sleep 1
expect "launcher killed: left" "$(num_left)" 0

# ---- A job that is stopped by Ctrl-Z for longer than the heartbeat timeout goes on ----
export SBP_HEARTBEAT_TIMEOUT=1
start_job 3
kill -TSTP "$job"
sleep 0.5
expect "stopped job" "$(ps -o stat= -p "$(pid_of_rank 1)" | cut -c1)" "T"
sleep 2
kill -CONT "$job"
sleep 2
expect "resumed job: running" "$(num_left)" 3
expect "resumed job: messages" "$(cat "$work/err")" ""
kill -INT "$job"
wait "$job"; expect "resumed job, interrupted" $? 130
unset SBP_HEARTBEAT_TIMEOUT

# ---- A rank that does not end by itself ----
begin=$(date +%s%N)
"$sbprun" -n 2 --grace 1 sh -c 'trap "" TERM INT; [ $RANK = 0 ] && exit 5; while :; do sleep 0.1; done' 2>"$work/err"
expect "stubborn" $? 5
expect "stubborn within 4 s" $((($(date +%s%N) - begin) / 1000000 < 4000)) 1
expect_text "stubborn" "$work/err" "rank 1 (pid"

# ---- When told to end, it waits for ranks that save, longer than for a late rank ----
"$sbprun" -n 2 --grace 2 sh -c \
  'exec 2>/dev/null; trap "sleep 3; echo saved; exit 143" TERM; echo ready; while :; do sleep 0.1; done' \
  >"$work/out" 2>"$work/err" &
job=$!
for _ in $(seq 100); do [[ $(grep -c ready "$work/out") == 2 ]] && break; sleep 0.05; done
kill -TERM "$job"
wait "$job"; expect "saving ranks" $? 143
expect "saving ranks: all have saved" "$(grep -c saved "$work/out")" 2
expect "saving ranks: message" "$(cat "$work/err")" \
  "sbprun: waiting for the ranks to end; a second signal kills them"

# ---- When told to end, a rank that could not save is the cause, whichever ends first ----
for failing in 0 1; do
  : >"$work/out" # removes the lines of the job before
  "$sbprun" -n 2 sh -c \
    "exec 2>/dev/null
     trap 'if [ \$RANK = $failing ]; then sleep 0.2; exit 1; else exit 143; fi' TERM
     echo ready; while :; do sleep 0.1; done" >"$work/out" 2>"$work/err" &
  job=$!
  for _ in $(seq 100); do [[ $(grep -c ready "$work/out") == 2 ]] && break; sleep 0.05; done
  kill -TERM "$job"
  wait "$job"; expect "rank $failing does not save" $? 1
done

((failures == 0)) && echo "all passed"
exit $((failures > 0))
