// RUN: split-file %s %t
// RUN: sbp-opt %t/many-samples.mlir --sbp-to-placed | FileCheck %t/many-samples.mlir
// RUN: sbp-opt %t/large-weights.mlir --sbp-to-placed | FileCheck %t/large-weights.mlir
// RUN: sbp-opt %t/slow-nodes.mlir --sbp-to-placed | FileCheck %t/slow-nodes.mlir
// RUN: sbp-opt %t/slow-links.mlir --sbp-to-placed | FileCheck %t/slow-links.mlir
// RUN: sbp-opt %t/pinned.mlir --sbp-to-placed | FileCheck %t/pinned.mlir

// The search finds the textbook's plan for each case.

//--- many-samples.mlir

// With small weights and many samples: data parallel. The optimiser works on parts,
// which costs no more than an all-reduce.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
nn.parameter @w1 : tensor<256x512xf32> = #nn.normal<0.02>
nn.parameter @w2 : tensor<512x256xf32> = #nn.normal<0.02>

// CHECK-LABEL: func.func @train_step(
//  CHECK-SAME:   tensor<65536x256xf32, #S0_m> {nn.input = "x"}
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}} -> tensor<65536x512xf32, #S0_m>
//       CHECK:   nn.einsum "bj,jk->bk" {{.*}} -> tensor<65536x256xf32, #S0_m>
//       CHECK:   nn.einsum {{.*}} -> tensor<512x256xf32, #Psum_m>
//       CHECK:   nn.einsum {{.*}} -> tensor<256x512xf32, #Psum_m>
//       CHECK:   sbp.cast {{.*}}#Psum_{{[a-z0-9]+}}> to tensor<256x512xf32, #S0_m>
//       CHECK:   nn.sgd {{.*}} -> tensor<256x512xf32, #S0_m>
func.func @loss(%x: tensor<65536x256xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w1 = nn.get @w1 : tensor<256x512xf32>
  %w2 = nn.get @w2 : tensor<512x256xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w1
      : (tensor<65536x256xf32>, tensor<256x512xf32>) -> tensor<65536x512xf32>
  %g = nn.gelu %h : tensor<65536x512xf32>
  %y = nn.einsum "bj,jk->bk" %g, %w2
      : (tensor<65536x512xf32>, tensor<512x256xf32>) -> tensor<65536x256xf32>
  %l = nn.reduce mean %y over [0, 1] : tensor<65536x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- large-weights.mlir

// With large weights and few samples: columns, then rows, as in Megatron. The sums are
// reduced once, and no weight ever moves.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
// CHECK: nn.parameter @w1 : tensor<1024x4096xf32, #S1_m>
// CHECK: nn.parameter @w2 : tensor<4096x1024xf32, #S0_m>
nn.parameter @w1 : tensor<1024x4096xf32> = #nn.normal<0.02>
nn.parameter @w2 : tensor<4096x1024xf32> = #nn.normal<0.02>

// CHECK-LABEL: func.func @train_step(
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}} -> tensor<16x4096xf32, #S1_m>
//       CHECK:   %[[TERMS:.*]] = nn.einsum "bj,jk->bk" {{.*}} -> tensor<16x1024xf32, #Psum_m>
//       CHECK:   sbp.cast %[[TERMS]]
//   CHECK-NOT:   sbp.cast {{.*}}x4096xf32
//       CHECK:   nn.sgd {{.*}} -> tensor<1024x4096xf32, #S1_m>
func.func @loss(%x: tensor<16x1024xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w1 = nn.get @w1 : tensor<1024x4096xf32>
  %w2 = nn.get @w2 : tensor<4096x1024xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w1
      : (tensor<16x1024xf32>, tensor<1024x4096xf32>) -> tensor<16x4096xf32>
  %g = nn.gelu %h : tensor<16x4096xf32>
  %y = nn.einsum "bj,jk->bk" %g, %w2
      : (tensor<16x4096xf32>, tensor<4096x1024xf32>) -> tensor<16x1024xf32>
  %z = nn.mul %y, %y : (tensor<16x1024xf32>, tensor<16x1024xf32>) -> tensor<16x1024xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<16x1024xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- slow-nodes.mlir

// Between nodes, with slow links, the samples are split, so that only gradients cross;
// within a node the weights are split.

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-9>,
                #sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 2.0e-12>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
nn.parameter @w1 : tensor<1024x4096xf32> = #nn.normal<0.02>
nn.parameter @w2 : tensor<4096x1024xf32> = #nn.normal<0.02>

// CHECK-LABEL: func.func @train_step(
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}} -> tensor<8192x4096xf32, #S0_S1_m>
//   CHECK-NOT:   tensor<8192x{{[0-9]+}}xf32, #{{B|P|S1}}
//       CHECK:   return
func.func @loss(%x: tensor<8192x1024xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w1 = nn.get @w1 : tensor<1024x4096xf32>
  %w2 = nn.get @w2 : tensor<4096x1024xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w1
      : (tensor<8192x1024xf32>, tensor<1024x4096xf32>) -> tensor<8192x4096xf32>
  %g = nn.gelu %h : tensor<8192x4096xf32>
  %y = nn.einsum "bj,jk->bk" %g, %w2
      : (tensor<8192x4096xf32>, tensor<4096x1024xf32>) -> tensor<8192x1024xf32>
  %z = nn.mul %y, %y : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<8192x1024xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- slow-links.mlir

// If communication takes longer than computation, every device does everything.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0, beta = 1.0e-3>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
nn.parameter @w : tensor<256x256xf32> = #nn.normal<0.02>

// CHECK-LABEL: func.func @train_step(
//   CHECK-NOT:   to {{.*}}#B_{{[a-z0-9]+}}>
//       CHECK:   return
func.func @loss(%x: tensor<64x256xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<256x256xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %z = nn.einsum "bi,ij->bj" %y, %w
      : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<64x256xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- pinned.mlir

// A pin is kept, though the plan would be cheaper without, and the rest is the
// best that goes with it.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e11, rates = [#sbp.rate<f32, 1.0e12>]>
// CHECK: nn.parameter @w : tensor<256x512xf32, #S1_m>
nn.parameter @w : tensor<256x512xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [S(1)]>}

// CHECK-LABEL: func.func @loss(
//       CHECK:   nn.einsum "bi,ij->bj" {{.*}} -> tensor<65536x512xf32, #S1_m>
//       CHECK:   sbp.cast {{.*}} to tensor<65536x512xf32, #B_m>
func.func @loss(%x: tensor<65536x256xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) {
  %w = nn.get @w : tensor<256x512xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<65536x256xf32>, tensor<256x512xf32>) -> tensor<65536x512xf32>
  %whole = sbp.pin %y : tensor<65536x512xf32> to #sbp.nd<@m, [B]>
  %z = nn.gelu %whole : tensor<65536x512xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<65536x512xf32> -> tensor<f32>
  return %l : tensor<f32>
}
