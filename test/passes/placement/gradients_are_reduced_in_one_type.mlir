// RUN: sbp-opt %s --sbp-to-boxed | FileCheck %s --check-prefixes=CHECK,F32
// RUN: sbp-opt %s --sbp-to-boxed=place-by=propagation | FileCheck %s --check-prefixes=CHECK,F32
// RUN: sbp-opt %s --sbp-to-boxed=reduce=bf16 | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: sbp-opt %s --sbp-to-boxed="place-by=propagation reduce=bf16" | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: not sbp-opt %s --sbp-differentiate=reduce=f16 2>&1 | FileCheck %s --check-prefix=ERROR

// RUN: not sbpc %s --reduce f16 -o %t 2>&1 | FileCheck %s --check-prefix=OPTION

// Gradients in bf16 of parameters in f32 are summed over ranks after they are cast, or
// before, as the option says: be they made here, by a layer, added up, or shaped
// otherwise.

//  ERROR: f16
// OPTION: error: --reduce: "f16" is none of f32, bf16

sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
nn.parameter @w : tensor<8x8xf32> = #nn.normal<0.5> {sbp.pin = #sbp.nd<@m, [B]>}
nn.parameter @v : tensor<64xf32> = #nn.normal<0.5> {sbp.pin = #sbp.nd<@m, [B]>}

//  CHECK: func.func private @layer.backward
// F32-NOT: sbp.box {{.*}}Psum
//  CHECK: func.func @train_step

func.func private @layer(%x: tensor<8192x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<8192x8xbf16> {
  %y = nn.einsum "bi,ij->bj" %x, %w : (tensor<8192x8xbf16>, tensor<8x8xbf16>) -> tensor<8192x8xbf16>
  %z = nn.einsum "bi,ij->bj" %y, %w : (tensor<8192x8xbf16>, tensor<8x8xbf16>) -> tensor<8192x8xbf16>
  return %z : tensor<8192x8xbf16>
}

func.func @loss(%x: tensor<8192x8xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [S(0)]>}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %x16 = nn.cast %x : tensor<8192x8xf32> -> tensor<8192x8xbf16>
  %w = nn.get @w : tensor<8x8xf32>
  %w16 = nn.cast %w : tensor<8x8xf32> -> tensor<8x8xbf16>
  %v = nn.get @v : tensor<64xf32>
  %v16 = nn.cast %v : tensor<64xf32> -> tensor<64xbf16>
  %u16 = nn.reshape %v16 : tensor<64xbf16> -> tensor<8x8xbf16>
  %y = call @layer(%x16, %w16) : (tensor<8192x8xbf16>, tensor<8x8xbf16>) -> tensor<8192x8xbf16>
  %h = nn.einsum "bi,ij->bj" %y, %u16 : (tensor<8192x8xbf16>, tensor<8x8xbf16>) -> tensor<8192x8xbf16>
  %z = call @layer(%h, %u16) : (tensor<8192x8xbf16>, tensor<8x8xbf16>) -> tensor<8192x8xbf16>
  %z32 = nn.cast %z : tensor<8192x8xbf16> -> tensor<8192x8xf32>
  %loss = nn.mse %z32, %x : (tensor<8192x8xf32>, tensor<8192x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// F32-NOT: sbp.box {{.*}}xbf16, #Psum_m> to
//     F32: nn.cast {{.*}}nn.reduced_in = f32{{.*}}xbf16, #Psum_m> -> {{.*}}xf32, #Psum_m>
// F32-NOT: sbp.box {{.*}}xbf16, #Psum_m> to
// F32-DAG: sbp.box bucketed {{.*}} : tensor<8x8xf32, #Psum_m> to
// F32-DAG: sbp.box bucketed {{.*}} : tensor<64xf32, #Psum_m> to

// BF16-NOT: xf32, #Psum_m> to
//     BF16: sbp.box {{.*}}xbf16, #Psum_m> to
// BF16-NOT: xf32, #Psum_m> to
//     BF16: nn.cast {{.*}}nn.reduced_in = bf16{{.*}}xbf16, #{{B|S}}{{.*}}xf32, #{{B|S}}
// BF16-NOT: xf32, #Psum_m> to
