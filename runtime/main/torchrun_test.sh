#!/bin/bash
# torchrun starts programs, though its agent has the port that it names.
#   torchrun_test.sh PROGRAM
set -euo pipefail

program="$PWD/$1"
cd "$TEST_TMPDIR"

fail() { echo "FAILED: $*"; exit 1; }

npy() {
  local dictionary="{'descr': '<f4', 'fortran_order': False, 'shape': $1, }"
  printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$dictionary"
}
{ npy "(64, 4)"; head -c 1024 /dev/zero | tr '\0' '?'; } > x.npy
{ npy "(64,)"; head -c 256 /dev/zero | tr '\0' '@'; } > t.npy
data=(--data x=x.npy --data t=t.npy --lr 0.01 --steps 5)
losses() { sed 's/, "samples_per_second.*//' "$1"; }
export OMP_NUM_THREADS=1

# Debian's torchrun needs to be told what to do with standard error: its defaults
# do not go with its Python.
torchrun() {
  /usr/bin/python3 -m torch.distributed.run --nproc_per_node 4 \
    --redirects 2 --tee 2 "$@"
}

"$program" "${data[@]}" --json --in-process > wanted.txt

# Two jobs at once, of an agent that has the port, as torchrun is without
# options, each with a port of its own.
port=$((20000 + RANDOM % 10000))
for job in 0 1; do
  torchrun --master_port $((port + job)) --no_python \
    "$program" "${data[@]}" --json > "static.$job.txt" 2> "static.$job.err" &
done
wait %1 || fail "$(cat static.0.err)"
wait %2 || fail "$(cat static.1.err)"
for job in 0 1; do
  diff <(losses "static.$job.txt") <(losses wanted.txt) || fail "losses differ"
done

torchrun --standalone --no_python "$program" "${data[@]}" --json \
  > standalone.txt 2> error.txt || fail "$(cat error.txt)"
diff <(losses standalone.txt) <(losses wanted.txt) || fail "losses differ"

# Ranks that mpirun starts where a job's own variables say that it has one.
code=0
RANK=0 WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 \
  "$program" "${data[@]}" > out.txt 2> error.txt || code=$?
[[ $code == 1 ]] || fail "exit $code"
grep -q "is for 4 ranks, the world that sbprun or torchrun has started has 1 (RANK=0, WORLD_SIZE=1); mpirun says OMPI_COMM_WORLD_RANK=2, OMPI_COMM_WORLD_SIZE=4" \
  error.txt || fail "$(cat error.txt)"
