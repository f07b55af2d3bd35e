// A plan that sbpc writes in the logical form needs no option when it is given back: groups and
// stages, schedule, micro-batches and what layers keep are in the text.

// RUN: sbpc %s --plan --emit logical -o %t.mlir
// RUN: sbpc %s --emit boxed -o %t.boxed
// RUN: sbpc %t.mlir --emit boxed | diff %t.boxed -
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir

// RUN: sbpc %s --stages 2 --micro-batches 4 --schedule zb-h1 --keep inputs --emit logical -o %t.mlir
// RUN: sbpc %s --stages 2 --micro-batches 4 --schedule zb-h1 --keep inputs --emit boxed -o %t.boxed
// RUN: sbpc %t.mlir --emit boxed | diff %t.boxed -
// RUN: FileCheck %s --check-prefix=STAGES < %t.mlir

// Without stages there is no schedule, which would say the number. The number says that there is
// no pipeline.
// RUN: sbpc %s --no-pipeline --micro-batches 4 --emit logical -o %t.mlir
// RUN: sbpc %s --no-pipeline --micro-batches 4 --emit boxed -o %t.boxed
// RUN: sbpc %t.mlir --emit boxed | diff %t.boxed -
// RUN: FileCheck %s --check-prefix=PARTS < %t.mlir

// The logical form in a folder of forms is the same text.
// RUN: rm -rf %t.forms
// RUN: sbpc %s --no-pipeline --micro-batches 4 --dump-forms %t.forms --emit local -o %t.local
// RUN: diff %t.mlir %t.forms/1-logical.mlir

// The number of the model holds for stages, too.
// RUN: sbpc %t.mlir --stages 2 --schedule gpipe --emit logical | FileCheck %s --check-prefix=BOTH

//   PLAN: sbp.stages [@group0, @group1]
//   PLAN: sbp.schedule [
// STAGES: sbp.stages [@group0, @group1]
// STAGES: @group0 "0F0,
// STAGES: sbp.keep = #sbp.keep<inputs>
//  PARTS-NOT: sbp.schedule
//  PARTS: func.func @loss({{.*}}sbp.micro_batches = 4 : i64
//   BOTH: @group0 "0F0,0F1,0F2,0F3,0B0,0B1,0B2,0B3",

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
