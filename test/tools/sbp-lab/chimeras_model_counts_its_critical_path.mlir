// Figure 6 of the paper: C_f = 6, C_b = 10.
// RUN: sbp-lab schedule --family chimera --stages 6 --micro-batches 6 | FileCheck %s
// CHECK: makespan           26
// CHECK: Chimera's model    26 (C_f = 6, C_b = 10, reductions that are not hidden 0)

// Each task of the path waits for a message; (1 + 0.5) 6 + (2 + 0.5) 10.
// RUN: sbp-lab schedule --family chimera --stages 6 --micro-batches 6 --latency 0.5 | FileCheck %s --check-prefix=MESSAGES
// MESSAGES: makespan           32.5
// MESSAGES: Chimera's model    34 (C_f = 6, C_b = 10,

// A schedule of one pipe has no such model.
// RUN: sbp-lab schedule --family 1f1b | FileCheck %s --check-prefix=ONE
// ONE-NOT: model
