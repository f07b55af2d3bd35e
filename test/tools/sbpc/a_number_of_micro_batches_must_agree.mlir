// RUN: sed 's/nn.optimizer = #nn.adam/nn.optimizer = #nn.adam, sbp.micro_batches = 4 : i64/' %s > %t.mlir
// RUN: sbpc %t.mlir --micro-batches 4 --emit differentiated | FileCheck %s
// RUN: not sbpc %t.mlir --micro-batches 2 --emit differentiated 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not sbpc %t.mlir --micro-batches 2 --plan --emit logical 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: sed 's/nn.optimizer = #nn.adam/nn.optimizer = #nn.adam, sbp.micro_batches = 0 : i64/' %s > %t.none.mlir
// RUN: not sbpc %t.none.mlir --emit logical 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: sed 's/tensor<64x64xf32> = #nn.normal<0.1>/tensor<64x64xf32> = #nn.normal<0.1> {sbp.micro_batches = 4 : i64}/' %s > %t.other.mlir
// RUN: not sbpc %t.other.mlir --emit logical 2>&1 | FileCheck %s --check-prefix=PLACE

// CHECK-NOT: sbp.micro_batches
// CHECK: nn.repeat 4
// TWO: error: 'func.func' op has 'sbp.micro_batches' = 4, but 2 micro-batches are asked for; leave out the option micro-batches, or the attribute
// NUMBER: error: 'func.func' op has 'sbp.micro_batches' = 0 : i64; it is a number of micro-batches, such as 4
// PLACE: error: 'nn.parameter' op has 'sbp.micro_batches', which belongs on the function that is trained

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-8>, #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-11>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 4.0e9>]>

nn.parameter @w0 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w2 : tensor<64x64xf32> = #nn.normal<0.1>
nn.parameter @w3 : tensor<64x64xf32> = #nn.normal<0.1>

func.func private @layer(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = nn.relu %h : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @loss(%x: tensor<64x64xf32> {nn.input = "x"}, %t: tensor<64x64xf32> {nn.input = "t"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.adam} {
  %w0 = nn.get @w0 : tensor<64x64xf32>
  %w1 = nn.get @w1 : tensor<64x64xf32>
  %w2 = nn.get @w2 : tensor<64x64xf32>
  %w3 = nn.get @w3 : tensor<64x64xf32>
  %x0 = call @layer(%x, %w0) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x1 = call @layer(%x0, %w1) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x2 = call @layer(%x1, %w2) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x3 = call @layer(%x2, %w3) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %loss = nn.mse %x3, %t : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
