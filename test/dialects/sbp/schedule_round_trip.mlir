// RUN: sbp-opt %s --verify-roundtrip
// RUN: sbp-opt %s | FileCheck %s
// RUN: sbp-opt %s | sbp-opt --mlir-print-op-generic | sbp-opt | FileCheck %s

// One row per group, in the order in which the stages first name the groups.

sbp.machine @host [#sbp.level<"cpu" x 3, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @host ranks [2, 0] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@back, @front, @back]
sbp.schedule [@back "0F0,0F1,,2F0@7", @front ""] {by_messages, note = "idle"}

//      CHECK: sbp.schedule [
// CHECK-NEXT:   @back "0F0,0F1,,2F0@7",
// CHECK-NEXT:   @front ""] {by_messages, note = "idle"}
