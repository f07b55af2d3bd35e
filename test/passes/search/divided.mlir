// RUN: split-file %s %t
// RUN: sbp-opt %t/model.mlir --sbp-to-placed="divide-levels" | FileCheck %s
// RUN: not sbp-opt %t/mesh.mlir --sbp-to-placed="divide-levels" 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: not sbp-opt %t/none.mlir --sbp-to-placed="divide-levels" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sbp-opt %t/many.mlir --sbp-to-placed="divide-levels" | FileCheck %s --check-prefix=MANY
// RUN: not sbp-opt %t/nine.mlir --sbp-to-placed 2>&1 | FileCheck %s --check-prefix=NINE

// Every prime factor of a level becomes an axis, so a level of six devices can split
// two loops. Here there are only two samples to split, and the other loops can be split
// into three parts.

// CHECK: sbp.mesh @divided of @m [#sbp.axis<"node" x 1 in "node">,
// CHECK-SAME: #sbp.axis<"gpu.0" x 2 in "gpu">, #sbp.axis<"gpu.1" x 3 in "gpu">]
// CHECK-LABEL: func.func @apply
//       CHECK: nn.einsum "bi,ij->bj" {{.*}} -> tensor<2x999x{{.*}}#B_S0_{{S1|Psum}}_{{[a-z0-9]+}}>

// MESH: error: 'sbp.mesh' op has divided the machine already
// NONE: error: the levels of one machine can be divided; the module defines 0

// If there are too many axes to search, levels of many devices have two axes each.

// MANY: sbp.mesh @divided of @m [#sbp.axis<"node.0" x 32 in "node">,
// MANY-SAME: #sbp.axis<"node.1" x 32 in "node">, #sbp.axis<"gpu" x 8 in "gpu">]

// NINE: nine.mlir:7:1: error: 'func.func' op is to be placed on the 9 axes of a mesh, and plans are searched on at most 8; an sbp.mesh of the machine may have fewer

//--- model.mlir

sbp.machine @m [#sbp.level<"node" x 1, alpha = 1.0e-5, beta = 1.0e-9>,
                #sbp.level<"gpu" x 6, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e6>]>
func.func @apply(%x: tensor<2x9xf32> {nn.input = "x"}, %w: tensor<9x999xf32> {nn.input = "w"})
    -> (tensor<2x999xf32> {nn.output = "y"}) {
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<2x9xf32>, tensor<9x999xf32>) -> tensor<2x999xf32>
  return %y : tensor<2x999xf32>
}

//--- mesh.mlir

sbp.machine @m [#sbp.level<"gpu" x 6, alpha = 1.0e-6, beta = 1.0e-10>]
sbp.mesh @mine of @m [#sbp.axis<"a" x 3 in "gpu">, #sbp.axis<"b" x 2 in "gpu">]
func.func @apply(%x: tensor<2xf32> {nn.input = "x"}) -> (tensor<2xf32> {nn.output = "y"}) {
  return %x : tensor<2xf32>
}

//--- none.mlir

func.func @apply(%x: tensor<2xf32> {nn.input = "x"}) -> (tensor<2xf32> {nn.output = "y"}) {
  return %x : tensor<2xf32>
}

//--- many.mlir

sbp.machine @m [#sbp.level<"node" x 1024, alpha = 1.0e-5, beta = 1.0e-9>,
                #sbp.level<"gpu" x 8, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e6>]>
func.func @apply(%x: tensor<2x9xf32> {nn.input = "x"}, %w: tensor<9x999xf32> {nn.input = "w"})
    -> (tensor<2x999xf32> {nn.output = "y"}) {
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<2x9xf32>, tensor<9x999xf32>) -> tensor<2x999xf32>
  return %y : tensor<2x999xf32>
}

//--- nine.mlir

sbp.machine @m [#sbp.level<"gpu" x 512, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e6>]>
sbp.mesh @mine of @m [#sbp.axis<"a" x 2 in "gpu">, #sbp.axis<"b" x 2 in "gpu">, #sbp.axis<"c" x 2 in "gpu">,
                      #sbp.axis<"d" x 2 in "gpu">, #sbp.axis<"e" x 2 in "gpu">, #sbp.axis<"f" x 2 in "gpu">,
                      #sbp.axis<"g" x 2 in "gpu">, #sbp.axis<"h" x 2 in "gpu">, #sbp.axis<"i" x 2 in "gpu">]
func.func @apply(%x: tensor<2x9xf32> {nn.input = "x"}, %w: tensor<9x999xf32> {nn.input = "w"})
    -> (tensor<2x999xf32> {nn.output = "y"}) {
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<2x9xf32>, tensor<9x999xf32>) -> tensor<2x999xf32>
  return %y : tensor<2x999xf32>
}
