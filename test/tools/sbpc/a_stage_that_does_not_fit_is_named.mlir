// No cut fits, by estimates: the stage that needs most, what takes its memory, and what would help.
// RUN: not sbpc %s --stages 2 --micro-batches 2 --memory 120KB --emit placed 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not sbpc %s --stages 2 --micro-batches 2 --memory 1KB --emit placed 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not sbp-opt %s --sbp-choose-stages="stages=2 micro-batches=2 memory=1000 terse" 2>&1 | FileCheck %s --check-prefix=TERSE

// The cut is given, and no plan of it fits.
// RUN: sbpc %s --stages 2 --micro-batches 2 --schedule gpipe --emit logical -o %t.mlir
// RUN: not sbpc %t.mlir --memory 10KB --emit placed 2>&1 | FileCheck %s --check-prefix=PLAN

// CUT: error: @loss has no cut into 2 stages that fits in the 120 KB (120000 bytes) of a device
// CUT: note: with {{--.*}} a cut fits, by an estimate
// NONE: error: @loss has no cut into 2 stages that fits in the 1 KB (1000 bytes) of a device; the smallest one is estimated to take
// NONE: note: stage {{[01]}} needs most, which begins here and has {{[23]}} units: {{.*}} KB parameters + {{.*}} KB optimiser state and sums of gradients + {{.*}} KB activations of {{.*}} in flight
// NONE: note: neither more micro-batches nor more groups nor layers that keep less were found to suffice

// TERSE: note: stage
// TERSE-NOT: note: {{neither|with}}

// PLAN: error: no plan is found for @train_step that fits in the 10 KB (10000 bytes) of a device
// PLAN: note: memory peaks
// PLAN: note: rank {{[02]}} is in group @group{{[01]}}, which runs stage {{[01]}}, of which it holds 2 of 2 micro-batches at once

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
