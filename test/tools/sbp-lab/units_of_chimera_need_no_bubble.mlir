// Units of Chimera for N = 2D leave a bubble between them. Another order of the
// same tasks has none, within the same memory, and none is faster.

// RUN: sbp-lab schedule --family chimera --stages 4 --micro-batches 8 --synthesise --cap 4 | FileCheck %s
// CHECK: makespan           28
// CHECK: order              28 (the given order takes 30)
// CHECK: bound of orders    28, gap 0 %, proven: none is faster
// CHECK: memory kept        4, 4, 4, 4 of 4, 4, 4, 4

// With room for one micro-batch more, workers in the middle are never idle.
// RUN: sbp-lab schedule --family chimera --stages 4 --micro-batches 8 --synthesise --cap 5 | FileCheck %s --check-prefix=FIVE
// FIVE: order              27 (the given order takes 30)
// FIVE: bound of orders    27, gap 0 %, proven: none is faster

// For N = D, Chimera's order is the best.
// RUN: sbp-lab schedule --family chimera --stages 8 --micro-batches 8 --synthesise --cap 8 | FileCheck %s --check-prefix=UNIT
// UNIT: order              36 (the given order takes 36)
// UNIT: bound of orders    36, gap 0 %, proven: none is faster
