// RUN: sbp-opt %s --sbp-choose-stages=stages=2 | FileCheck %s --check-prefix=FAST
// RUN: sbp-opt %s --sbp-choose-stages="stages=2 memory=9.0e6" | FileCheck %s --check-prefix=SMALL
// RUN: not sbp-opt %s --sbp-choose-stages="stages=2 memory=1.0e5" 2>&1 | FileCheck %s --check-prefix=NONE

// The last layer uses its weight six times: it takes more time than the five others, but
// not more memory. It stands alone, unless that leaves the others too little memory.

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e10, rates = [#sbp.rate<f32, 1.0e11>]>

// FAST: call @layer({{.*}}) {sbp.stage = 0 : i64}
// FAST-COUNT-4: call @layer({{.*}}) :
// FAST: call @six({{.*}}) {sbp.stage = 1 : i64}

// SMALL: call @layer({{.*}}) {sbp.stage = 0 : i64}
// SMALL-COUNT-3: call @layer({{.*}}) :
// SMALL: call @layer({{.*}}) {sbp.stage = 1 : i64}
// SMALL: call @six({{.*}}) :

// NONE: error: @loss has no cut into 2 stages that fits in the 100 KB (100000 bytes) of a device; the smallest one is estimated to take 8.{{.*}} MB

nn.parameter @w0 : tensor<512x512xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<512x512xf32> = #nn.normal<0.1>
nn.parameter @w2 : tensor<512x512xf32> = #nn.normal<0.1>
nn.parameter @w3 : tensor<512x512xf32> = #nn.normal<0.1>
nn.parameter @w4 : tensor<512x512xf32> = #nn.normal<0.1>
nn.parameter @w5 : tensor<512x512xf32> = #nn.normal<0.1>

func.func private @layer(%x: tensor<8x512xf32>, %w: tensor<512x512xf32>) -> tensor<8x512xf32> {
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  return %y : tensor<8x512xf32>
}

func.func private @six(%x0: tensor<8x512xf32>, %w: tensor<512x512xf32>) -> tensor<8x512xf32> {
  %x1 = nn.einsum "bi,ij->bj" %x0, %w : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x2 = nn.einsum "bi,ij->bj" %x1, %w : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x3 = nn.einsum "bi,ij->bj" %x2, %w : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x4 = nn.einsum "bi,ij->bj" %x3, %w : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x5 = nn.einsum "bi,ij->bj" %x4, %w : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x6 = nn.einsum "bi,ij->bj" %x5, %w : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  return %x6 : tensor<8x512xf32>
}

func.func @loss(%x: tensor<8x512xf32> {nn.input = "x"}, %y: tensor<8x512xf32> {nn.input = "y"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<512x512xf32>
  %w1 = nn.get @w1 : tensor<512x512xf32>
  %w2 = nn.get @w2 : tensor<512x512xf32>
  %w3 = nn.get @w3 : tensor<512x512xf32>
  %w4 = nn.get @w4 : tensor<512x512xf32>
  %w5 = nn.get @w5 : tensor<512x512xf32>
  %x0 = call @layer(%x, %w0) : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x1 = call @layer(%x0, %w1) : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x2 = call @layer(%x1, %w2) : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x3 = call @layer(%x2, %w3) : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x4 = call @layer(%x3, %w4) : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %x5 = call @six(%x4, %w5) : (tensor<8x512xf32>, tensor<512x512xf32>) -> tensor<8x512xf32>
  %loss = nn.mse %x5, %y : (tensor<8x512xf32>, tensor<8x512xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
