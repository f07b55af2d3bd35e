// RUN: sbpc explain %s --details | FileCheck %s
// RUN: sbpc explain %s --json | FileCheck %s --check-prefix=JSON
// RUN: sbpc explain %s | FileCheck %s --check-prefix=PAGE
// RUN: sbpc explain %s --details | FileCheck %s --check-prefix=ONCE

// With --details, the signatures of ops are listed with their times, the fastest first. Ops
// of one kind share a list. What an op takes does not depend on what is moved around it.

// PAGE-NOT: Signatures of ops

// CHECK-LABEL: Signatures of ops, each with the time of one execution
//       CHECK:   2 x nn.einsum (64x64xf32, 64x64xf32) -> 64x64xf32 of %a, %b, signatures.mlir:
//   CHECK-DAG:     {{[0-9.]+}} us  {{[0-9.]+}} KB  [(S(1), S(0)) -> (P(sum))]  chosen for 1 of 2{{$}}
//   CHECK-DAG:     {{[0-9.]+}} us  {{[0-9.]+}} KB  [(S(0), B) -> (S(0))]
//   CHECK-DAG:     {{[0-9.]+}} us  {{[0-9.]+}} KB  [(B, B) -> (B)]
//       CHECK:   nn.relu (64x64xf32) -> 64x64xf32 of %c, signatures.mlir:
//       CHECK:     [(S(1)) -> (S(1))]  chosen{{$}}

// ONCE-COUNT-1: -> 64x64xf32 of %a, %b
//     ONCE-NOT: -> 64x64xf32 of %b

// JSON: "signatures": [
// JSON:   "op": "nn.einsum",
// JSON:   "types": "(64x64xf32, 64x64xf32) -> 64x64xf32",
// JSON:   "number": 2,
// JSON:   "whole": true,
// JSON:   "signature": "[(
// JSON:   "computing":
// JSON:   "chosen":

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e11>]>
func.func @predict(%x: tensor<64x64xf32> {nn.input = "x"}, %w: tensor<64x64xf32> {nn.input = "w"})
    -> (tensor<64x64xf32> {nn.output = "c"}) {
  %a = nn.einsum "bi,ij->bj" %x, %w {sbp.signature = #sbp.signature<[(S(1), S(0)) -> (P(sum))]>}
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = nn.einsum "bi,ij->bj" %a, %w {sbp.signature = #sbp.signature<[(S(0), B) -> (S(0))]>}
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = nn.relu %b {sbp.signature = #sbp.signature<[(S(1)) -> (S(1))]>} : tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
