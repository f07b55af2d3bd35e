// RUN: sbp-opt %s --sbp-to-differentiated | FileCheck %s
// RUN: sbp-opt %s --sbp-to-local="mesh=host place-by=propagation" | FileCheck %s --check-prefix=LOCAL

// The training step has the inputs of the loss, with the same bounds. Layers, whose
// arguments are not inputs, have none.

sbp.machine @host [#sbp.level<"rank" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
nn.parameter @table : tensor<65x10xf32> = #nn.normal<0.02>

// CHECK: func.func private @layer(%{{.*}}: tensor<4xi32>)
// CHECK: func.func private @layer.forward(%{{.*}}: tensor<4xi32>)
func.func private @layer(%tokens: tensor<4xi32>) -> tensor<4x10xf32> {
  %table = nn.get @table : tensor<65x10xf32>
  %rows = nn.embedding %table, %tokens : (tensor<65x10xf32>, tensor<4xi32>) -> tensor<4x10xf32>
  return %rows : tensor<4x10xf32>
}

// CHECK: func.func @loss(%{{.*}}: tensor<4xi32> {nn.below = 65 : i64, nn.input = "tokens"}, %{{.*}}: tensor<4xi32> {nn.below = 10 : i64, nn.input = "labels"})
// CHECK: func.func @train_step(%{{.*}}: tensor<4xi32> {nn.below = 65 : i64, nn.input = "tokens"}, %{{.*}}: tensor<4xi32> {nn.below = 10 : i64, nn.input = "labels"}, %{{.*}}: tensor<f32> {nn.input = "lr"})
// LOCAL: func.func @train_step(%{{.*}}: tensor<2xi32> {nn.below = 65 : i64, nn.input = "tokens", rank.whole =
func.func @loss(%tokens: tensor<4xi32> {nn.input = "tokens"}, %labels: tensor<4xi32> {nn.input = "labels"})
    -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  %rows = call @layer(%tokens) : (tensor<4xi32>) -> tensor<4x10xf32>
  %loss = nn.cross_entropy %rows, %labels : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}
