// RUN: not sbpc check-ops %s --load-dialect-plugin %fixtures/planted/planted.so 2> %t | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --input-file %t
// RUN: not sbpc check-ops %s --load-dialect-plugin %fixtures/planted/planted.so --json 2>/dev/null | FileCheck %s --check-prefix=JSON
// RUN: not sbpc %s -n 2 --load-dialect-plugin %fixtures/planted/planted.so --emit placed 2>&1 | FileCheck %s --check-prefix=COMPILED

// Each of these copies of ops of nn has one promise that is false. The check runs the ops
// whole and in parts, and finds all; the quick check of every compilation finds the first.

// TABLE: op instances signatures gradients in place
// TABLE-COUNT-28: planted.wrong wrong
// TABLE-COUNT-8: planted.{{crashing|grouped|mixed|powers|scaled|shifted|strict|unfit}} wrong
// TABLE-NOT: right
// JSON: "op": "planted.wrong",
// JSON-NEXT: "verdict": "wrong"
// COMPILED: error: 'planted.wrong' op is wrong by the signature (P(sum)) -> (P(sum)), which its loops declare, on a mesh of 2: element [{{.*}}] of result 0 is {{.*}} in parts and {{.*}} in the whole
// COMPILED-NEXT: planted.wrong exp_sum
// COMPILED: note: seen with %0 = planted.wrong exp_sum

func.func @exp_sum(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum)) -> (P(sum))
  %r = planted.wrong exp_sum %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @neg_max(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(max)) -> (P(max))
  %r = planted.wrong neg_max %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @relu_sum(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum)) -> (P(sum))
  %r = planted.wrong relu_sum %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @square_sum(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum)) -> (P(sum))
  %r = planted.wrong square_sum %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @abs_max(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(max)) -> (P(max))
  %r = planted.wrong abs_max %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @affine_sum(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum)) -> (P(sum))
  %r = planted.wrong affine_sum %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @clamp_sum(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum)) -> (P(sum))
  %r = planted.wrong clamp_sum %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @scaled_by_length(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (S({{[0-9]}})) -> (S({{[0-9]}}))
  %r = planted.wrong scaled_by_length %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @square_gradient(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op has an adjoint whose gradient of operand 0 is wrong
  %r = planted.wrong square_gradient %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @mul_joint_sum(%x: tensor<12x12xf32>, %y: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum), P(sum)) -> (P(sum))
  %r = planted.wrong mul_joint_sum %x, %y : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @div_bottom_sum(%x: tensor<12x12xf32>, %y: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (B, P(sum)) -> (P(sum))
  %r = planted.wrong div_bottom_sum %x, %y : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @sub_max(%x: tensor<12x12xf32>, %y: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(max), P(max)) -> (P(max))
  %r = planted.wrong sub_max %x, %y : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @max_sum(%x: tensor<12x12xf32>, %y: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum), P(sum)) -> (P(sum))
  %r = planted.wrong max_sum %x, %y : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @add_left_sum(%x: tensor<12x12xf32>, %y: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (P(sum), B) -> (P(sum))
  %r = planted.wrong add_left_sum %x, %y : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @mul_gradient(%x: tensor<12x12xf32>, %y: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op has an adjoint that leaves out the gradient of operand 1
  %r = planted.wrong mul_gradient %x, %y : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @row_sum_as_max(%x: tensor<12x12xf32>) -> tensor<12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (S({{[0-9]}})) -> (P(max))
  %r = planted.wrong row_sum_as_max %x : (tensor<12x12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

func.func @row_max_as_sum(%x: tensor<12x12xf32>) -> tensor<12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (S({{[0-9]}})) -> (P(sum))
  %r = planted.wrong row_max_as_sum %x : (tensor<12x12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

func.func @row_mean_of_part(%x: tensor<12x12xf32>) -> tensor<12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (S({{[0-9]}})) -> (P(sum))
  %r = planted.wrong row_mean_of_part %x : (tensor<12x12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

func.func @softmax_splits_row(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (S({{[0-9]}})) -> (S({{[0-9]}}))
  %r = planted.wrong softmax_splits_row %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @reverse_splits_row(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op is wrong by the signature (S({{[0-9]}})) -> (S({{[0-9]}}))
  %r = planted.wrong reverse_splits_row %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @reverse_in_place(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op has a kernel that cannot write result 0 to the memory of operand 0
  %r = planted.wrong reverse_in_place %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @swaps_any_part(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op cannot run by the signature (S({{[0-9]}})) -> (S({{[0-9]}}))
  %r = planted.wrong swaps_any_part %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @leaves_last(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op has a kernel whose results depend on what their memory held before
  %r = planted.wrong leaves_last %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @transpose_keeps_loops(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op {{is wrong|cannot run}} by the signature (S({{[0-9]}})) -> (S({{[0-9]}}))
  %r = planted.wrong transpose_keeps_loops %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

// A crash leaves nothing behind that would hold back the errors of later ops.
func.func @build_crashes(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op crashes while it is checked
  %r = planted.wrong build_crashes %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @builds_nothing(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op cannot run by the signature (B) -> (B), which its loops declare, on a mesh of 2: 'planted.wrong' op has a buildLocal that returns no op; it must return the op of this part
  %r = planted.wrong builds_nothing %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @builds_whole(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op cannot run by the signature (S({{[0-9]}})) -> (S({{[0-9]}})), which its loops declare, on a mesh of 2: 'planted.wrong' op has a buildLocal that returns {{.*}} for result 0, whose part is
  %r = planted.wrong builds_whole %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

func.func @builds_on_whole(%x: tensor<12x12xf32>) -> tensor<12x12xf32> {
  // CHECK: check_ops_finds_false_promises.mlir:[[# @LINE + 1]]:8: error: 'planted.wrong' op cannot run by the signature (B) -> (B), which its loops declare, on a mesh of 2: 'planted.wrong' op has a buildLocal that builds 'planted.wrong', whose operand 0 is a '{{.*}}' of the whole program; it must use the operands that it is given
  %r = planted.wrong builds_on_whole %x : (tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

// Ops that are not in the model are drawn at random, with as many results as they have, and
// with and without optional attributes and operands.
// CHECK-DAG: error: 'planted.scaled' op is wrong by the signature
// CHECK-DAG: note: seen with %0 = planted.scaled %{{.*}} {dims = {{[0-9]}} : i64} :
// CHECK-DAG: error: 'planted.powers' op is wrong by the signature (P(sum)) -> (P(sum), P(sum))
// CHECK-DAG: error: 'planted.unfit' op is accepted by its verifier, but its loops do not fit: it declares loop 0
// CHECK-DAG: error: 'planted.crashing' op crashes while it is created and verified, with operands (tensor<f32>)
// CHECK-DAG: error: 'planted.mixed' op has a CPU kernel that is not valid: 'arith.addf' op
// CHECK-DAG: error: 'planted.shifted' op is wrong by the signature (B, B) -> (B)
// CHECK-DAG: error: 'planted.grouped' op {{is wrong|cannot run}} by the signature (S(0)) -> (S(0))
// CHECK-DAG: error: 'planted.strict' op has a verifier that refuses the signature (B, P(sum)) -> (P(sum)) of its own loops: requires the same encoding for all operands and results
// CHECK-DAG: note: placements are encodings of types; traits that ignore them are in dialects/sbp/SbpOpBase.td
