#!/bin/bash
# Calibrates as a user would: what is printed and written can be read, mistakes
# are one error, and Ctrl-C leaves nothing.
#
# usage: calibrate_test.sh SBPRUN SBP_OPT
set -u
sbprun=$1
sbp_opt=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
few=(--calibrate --sizes 1KiB,4096,16384,64KiB)
quick=("${few[@]}" --repetitions 1)

# ---- The machine that is written is one ----
for ranks in 2 4; do
  "$sbprun" -n $ranks "${quick[@]}" -o "$work/machine.mlir" >"$work/out" 2>"$work/err" ||
    fail "$ranks ranks: $(cat "$work/err")"
  "$sbp_opt" --verify-roundtrip "$work/machine.mlir" >"$work/read.mlir" ||
    fail "$ranks ranks: the machine cannot be read: $(cat "$work/machine.mlir")"
  grep -q "#sbp.level<\"rank\" x $ranks, alpha = .*device #sbp.device<memory = .*#sbp.rate<f32" \
    "$work/read.mlir" || fail "$ranks ranks: $(cat "$work/read.mlir")"
  grep -q '^Worst fit: ' "$work/out" || fail "$ranks ranks: no worst fit in $(cat "$work/out")"
done
# A line for each of 4 collectives, 2 groups and 4 sizes.
[[ $(grep -c '^rank ' "$work/out") -eq 33 ]] || fail "lines: $(cat "$work/out")"

# ---- JSON agrees with itself ----
"$sbprun" -n 2 "${quick[@]}" --json >"$work/json" 2>"$work/err" || fail "json"
python3 - "$work/json" "$work/err" <<'END' || fail "json: $(cat "$work/json")"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
samples = [line["sample"] for line in lines if "sample" in line]
assert len(samples) == 16, samples
for sample in samples:
    off = sample["priced_seconds"] / sample["measured_seconds"] - 1
    assert abs(off - sample["residual"]) < 1e-3, sample
fit = lines[-1]["fit"]
bad = sum(abs(sample["residual"]) > fit["tolerance"] for sample in samples)
assert abs(bad - fit["bad_points"]) <= 1, fit   # but for rounding
worst = max(abs(sample["residual"]) for sample in samples)
assert abs(worst - abs(fit["worst_residual"])) < 1e-3, fit
said = "warning: bad fit" in open(sys.argv[2]).read()
assert said == (fit["bad_points"] > 0), (said, fit)
said = "warning: lost in noise" in open(sys.argv[2]).read()
assert said == (fit["lost_in_noise"] > 0), (said, fit)
END

# ---- Two hosts, here the same one, are two levels ----
# start_pair REPETITIONS-AND-MORE-OF-THE-FIRST REPETITIONS-OF-THE-SECOND
start_pair() {
  local port=$((20000 + RANDOM % 20000))
  local pair=(-n 2 --nodes 2 --master-addr 127.0.0.1 --master-port $port)
  "$sbprun" "${pair[@]}" --node-rank 1 "${few[@]}" --repetitions $2 >"$work/out1" 2>"$work/err1" &
  "$sbprun" "${pair[@]}" --node-rank 0 "${few[@]}" --repetitions $1 >"$work/out" 2>"$work/err"
  local code=$?
  wait $!
  return $code
}
start_pair "1 -o $work/cluster.mlir" 1 || fail "two hosts: $(cat "$work/err" "$work/err1")"
"$sbp_opt" "$work/cluster.mlir" >"$work/read.mlir" || fail "two hosts: $(cat "$work/cluster.mlir")"
grep -q 'sbp.machine @cluster \[#sbp.level<"node" x 2, .*, #sbp.level<"rank" x 2, ' "$work/read.mlir" ||
  fail "two hosts: $(cat "$work/read.mlir")"
for level in node rank all; do # four collectives, four sizes; all: of four ranks
  [[ $(grep -c "^$level *[a-z]*_[a-z_]* *[24] " "$work/out") -eq 16 ]] || fail "two hosts: $(cat "$work/out")"
done
[[ -s "$work/out1" ]] && fail "the second host speaks: $(cat "$work/out1")"
SBP_JOB_SECRET=one start_pair 1 2 && fail "different options: no error"
grep -q "^error: rank [23] (.*) was started with --repetitions 2, but rank 0 with --repetitions 1$" \
  "$work/err" || fail "different options: $(cat "$work/err")"

# ---- Mistakes ----
expect_error() { # TEXT COMMAND...
  local text=$1
  shift
  "$@" >"$work/out" 2>"$work/err" && fail "$*: no error"
  grep -qF -- "$text" "$work/err" || fail "$*: no '$text' in: $(cat "$work/err")"
  [[ $(wc -l <"$work/err") -eq 1 ]] || fail "$*: more than a line: $(cat "$work/err")"
}
expect_error "needs 2 ranks or more" "$sbprun" -n 1 --calibrate
expect_error "but was given './gpt'" "$sbprun" -n 2 --calibrate ./gpt
expect_error "calibrate" "$sbprun" -n 2 -o "$work/machine.mlir" ./gpt
expect_error "/no/such/folder" "$sbprun" -n 2 "${quick[@]}" -o /no/such/folder/machine.mlir
expect_error "whole number of bytes from 4" "$sbprun" -n 2 --calibrate --sizes 1,2
for sizes in 1024 1024,1024 8,15; do # among 2 ranks the last two are one
  expect_error "--sizes: two different sizes are needed" \
    "$sbprun" -n 2 --calibrate --sizes $sizes -o "$work/one.mlir"
done
[[ -e "$work/one.mlir" ]] && fail "one size: a machine was written"

# ---- Ctrl-C leaves nothing ----
"$sbprun" -n 3 --calibrate --repetitions 1000 -o "$work/never.mlir" >"$work/out" 2>"$work/err" &
job=$!
for _ in $(seq 100); do
  [[ $(pgrep -P "$job" | wc -l) -eq 3 ]] && break
  sleep 0.05
done
sleep 0.5
ranks=$(pgrep -P "$job")
[[ $(wc -w <<<"$ranks") -eq 3 ]] || fail "the ranks are '$ranks': $(cat "$work/err")"
kill -INT "$job"
wait "$job"
[[ $? -eq 130 ]] || fail "interrupted: exit code"
for rank in $ranks; do
  kill -0 "$rank" 2>/dev/null && fail "rank $rank is left"
done
[[ -e "$work/never.mlir" ]] && fail "interrupted: a machine was written"

((failures == 0)) && echo "all passed"
exit $((failures > 0))
