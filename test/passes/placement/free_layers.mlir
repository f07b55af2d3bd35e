// RUN: split-file %s %t
// RUN: sbp-opt %t/model.mlir --sbp-to-placed="layers=free" | FileCheck %s
// RUN: sbp-opt %t/model.mlir --sbp-to-placed | FileCheck %s --check-prefix=TIED
// RUN: sbp-opt %t/tied.mlir --sbp-to-placed="layers=free" | FileCheck %s --check-prefix=TIED
// RUN: sbpc explain %t/model.mlir --layers=free --details | FileCheck %s --check-prefix=FREE-COST
// RUN: sbpc explain %t/model.mlir --layers=tied --details | FileCheck %s --check-prefix=TIED-COST
// RUN: sbp-opt %t/pairs.mlir --sbp-to-placed="layers=free" | FileCheck %s --check-prefix=PAIRS
// RUN: sbp-opt %t/alike.mlir --sbp-to-placed="layers=free" > %t/free.mlir
// RUN: sbp-opt %t/alike.mlir --sbp-to-placed="layers=tied" | diff - %t/free.mlir
// RUN: sbp-opt %t/model.mlir --sbp-place="place-by=propagation layers=free" | FileCheck %s --check-prefix=PROPAGATED
// RUN: not sbp-opt %t/recursion.mlir --sbp-to-placed="layers=free" 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: not sbp-opt %t/many.mlir --sbp-to-placed="layers=free" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not sbpc %t/model.mlir --layers=some 2>&1 | FileCheck %s --check-prefix=OPTION

// The first and the second call have samples split and weights whole. The third call has
// columns of the weights, which are larger than the tensors that would be gathered.

// CHECK-LABEL: func.func private @layer.call0(
//  CHECK-SAME:   %{{.*}}: tensor<8x64xf32, #S0_m>
//  CHECK-SAME:   -> tensor<8x64xf32, #S0_m>
//  CHECK-SAME:   attributes {sbp.calls = array<i64: 0, 1>}
// CHECK-LABEL: func.func private @layer.call2(
//  CHECK-SAME:   %{{.*}}: tensor<64x64xf32, #S1_m>
//  CHECK-SAME:   -> tensor<8x64xf32, #S1_m>
//  CHECK-SAME:   attributes {sbp.calls = array<i64: 2>}
// CHECK-LABEL: func.func @apply(
//       CHECK:   call @layer.call0(
//       CHECK:   call @layer.call0(
//       CHECK:   call @layer.call2(

// TIED-LABEL: func.func private @layer(
//   TIED-NOT: sbp.{{calls|tied}}
//   TIED-NOT: func.func private
// TIED-COUNT-3: call @layer(

// FREE-COST: @apply: 5.079 us
// FREE-COST: No plan takes less: proven.
// FREE-COST: Time of @apply by layer:
// FREE-COST:   3 x @layer
// FREE-COST: All of @apply:
// FREE-COST-DAG: @layer calls 0 to 1{{$}}
// FREE-COST-DAG: @layer call 2{{$}}
// TIED-COST: @apply: 14.13 us
// TIED-COST: All of @apply:
// TIED-COST: 3 x @layer{{$}}

// Propagation uses the arguments of each call.
// PROPAGATED: func.func private @layer.call0(
// PROPAGATED: func.func private @layer.call2(

// Functions that a layer calls are copied too, and the halves of a layer are numbered as
// a pair. Columns of the first weights and rows of the second need no gather in between.
// PAIRS-LABEL: func.func private @layer.forward.call1(
//       PAIRS:   call @inner.forward.call1(
// PAIRS-LABEL: func.func private @layer.backward.call1(
//       PAIRS:   call @inner.backward.call1(
// PAIRS-LABEL: func.func private @layer.backward.call0(
//       PAIRS:   call @inner.backward.call0(
// PAIRS-LABEL: func.func @train_step(
//       PAIRS:   call @layer.forward.call0({{.*}} {nn.id = [[FIRST:[0-9]+]]
//       PAIRS:   call @layer.forward.call1({{.*}} {nn.id = [[SECOND:[0-9]+]]
//       PAIRS:   call @layer.backward.call1({{.*}} {nn.adjoint_of = [[SECOND]]
//       PAIRS:   call @layer.backward.call0({{.*}} {nn.adjoint_of = [[FIRST]]

// RECURSION: error: {{.*}}calls @layer while it is being placed
// MANY: error: free layers are placed once per call, but there are 16382 calls; at most 10000 calls can be placed separately
// OPTION: error: --layers: "some" is none of tied, free

//--- model.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e11>]>
func.func private @layer(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %y = nn.gelu %h : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
func.func @apply(%x: tensor<8x64xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>},
                 %v: tensor<64x64xf32> {nn.input = "v", sbp.pin = #sbp.nd<@m, [B]>},
                 %w: tensor<64x64xf32> {nn.input = "w", sbp.pin = #sbp.nd<@m, [S(1)]>})
    -> (tensor<8x64xf32> {nn.output = "y"}) {
  %a = call @layer(%x, %v) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %b = call @layer(%a, %v) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %c = call @layer(%b, %w) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  return %c : tensor<8x64xf32>
}

//--- tied.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e11>]>
func.func private @layer(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32>
    attributes {sbp.tied} {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %y = nn.gelu %h : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
func.func @apply(%x: tensor<8x64xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>},
                 %v: tensor<64x64xf32> {nn.input = "v", sbp.pin = #sbp.nd<@m, [B]>},
                 %w: tensor<64x64xf32> {nn.input = "w", sbp.pin = #sbp.nd<@m, [S(1)]>})
    -> (tensor<8x64xf32> {nn.output = "y"}) {
  %a = call @layer(%x, %v) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %b = call @layer(%a, %v) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %c = call @layer(%b, %w) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  return %c : tensor<8x64xf32>
}

//--- alike.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e11>]>
nn.parameter @v : tensor<64x64xf32> = #nn.normal<0.02>
nn.parameter @w : tensor<64x64xf32> = #nn.normal<0.02>
// A pin holds in every copy of a layer.
func.func private @inner(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %z = sbp.pin %y : tensor<8x64xf32> to #sbp.nd<@m, [S(1)]>
  return %z : tensor<8x64xf32>
}
func.func private @layer(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %h = call @inner(%x, %w) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %y = nn.gelu %h : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
func.func @loss(%x: tensor<8x64xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %v = nn.get @v : tensor<64x64xf32>
  %w = nn.get @w : tensor<64x64xf32>
  %a = call @layer(%x, %v) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %b = call @layer(%a, %v) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %c = call @layer(%b, %w) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %l = nn.reduce mean %c over [0, 1] : tensor<8x64xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- pairs.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e11>]>
nn.parameter @u : tensor<64x64xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [S(1)]>}
nn.parameter @v : tensor<64x64xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [S(1)]>}
nn.parameter @w : tensor<64x64xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [S(0)]>}
func.func private @inner(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
func.func private @layer(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %h = call @inner(%x, %w) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %y = nn.gelu %h : tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
func.func @loss(%x: tensor<8x64xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %u = nn.get @u : tensor<64x64xf32>
  %v = nn.get @v : tensor<64x64xf32>
  %w = nn.get @w : tensor<64x64xf32>
  %a = nn.einsum "bi,ij->bj" %x, %u : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %b = call @layer(%a, %v) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %c = call @layer(%b, %w) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %l = nn.reduce mean %c over [0, 1] : tensor<8x64xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- recursion.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @apply(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<4xf32> {nn.output = "y"}) {
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

//--- many.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
func.func private @f0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f0(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f1(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f1(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f2(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f4(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f3(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f3(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f5(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f4(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f4(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f6(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f5(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f5(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f7(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f6(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f6(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f8(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f7(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f7(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f9(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f8(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f8(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f10(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f9(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f9(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f11(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f10(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f10(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @f12(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = call @f11(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f11(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @apply(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<4xf32> {nn.output = "y"}) {
  %h = call @f12(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %y = call @f12(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
