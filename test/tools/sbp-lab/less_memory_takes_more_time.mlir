// RUN: sbp-lab schedule --family chimera --stages 4 --micro-batches 4 --synthesise --cap 4 | FileCheck %s --check-prefix=FOUR
// RUN: sbp-lab schedule --family chimera --stages 4 --micro-batches 4 --synthesise --cap 3 | FileCheck %s --check-prefix=THREE
// RUN: sbp-lab schedule --family chimera --stages 4 --micro-batches 4 --synthesise --cap 2 | FileCheck %s --check-prefix=TWO
// FOUR:  order              16 (the given order takes 16)
// FOUR:  proven
// THREE: order              18 (the given order takes 16, and keeps more than the cap)
// THREE: proven
// TWO:   order              21 (the given order takes 16, and keeps more than the cap)
// TWO:   proven

// Memory may be in bytes, with as many for each stage.
// RUN: sbp-lab schedule --family chimera --stages 4 --micro-batches 4 --synthesise --stash 2e9 --cap 7e9 | FileCheck %s --check-prefix=THREE

// RUN: not sbp-lab schedule --family chimera --stages 4 --micro-batches 4 --synthesise --cap 0.5 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: schedule: worker 0 has room for 0.5, but a single micro-batch keeps 1 there
