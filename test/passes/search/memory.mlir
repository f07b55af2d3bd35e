// RUN: split-file %s %t
// RUN: sbp-opt %t/model.mlir --sbp-to-placed | FileCheck %s --check-prefix=FREE
// RUN: sbp-opt %t/model.mlir --sbp-to-placed=memory=9.0e6 | FileCheck %s --check-prefix=TIGHT
// RUN: not sbp-opt %t/model.mlir --sbp-to-placed=memory=1.0e6 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not sbpc %t/model.mlir --memory 1MB -o %t/none 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not ls %t/none
// RUN: not sbpc %t/model.mlir --memory 0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not sbpc %t/model.mlir --memory 3MX 2>&1 | FileCheck %s --check-prefix=UNIT

// RUN: not sbp-opt %t/pinned.mlir --sbp-to-placed=memory=6.0e6 2>&1 | FileCheck %s --check-prefix=PINNED
// RUN: sed -e 's/ {sbp.pin = #sbp.nd<@m, \[B\]>}$//' -e 's/ "bi,ij->bj" %x, %up/& {sbp.signature = #sbp.signature<[(B, B) -> (B)]>}/' %t/pinned.mlir > %t/signature.mlir
// RUN: not sbp-opt %t/signature.mlir --sbp-to-placed=memory=6.0e6 2>&1 | FileCheck %s --check-prefix=SIGNATURE
// RUN: not sbp-opt %t/both.mlir --sbp-to-placed=memory=9.0e6 2>&1 | FileCheck %s --check-prefix=BOTH

// A plan fits into the memory of a device. Here collectives take so long that every device
// does all the work. With less memory each device keeps a part of the parameters, and
// below the memory of the parts there is no plan.

// FREE-LABEL: nn.parameter @up
//  FREE-SAME:   #B_m

// TIGHT-LABEL: nn.parameter @up
//  TIGHT-SAME:   #S{{[01]}}_m

// NONE: error: no plan is found for @train_step that fits in the 1 MB (1000000 bytes) of a device

// The error has a sufficient limit, an insufficient one, the time of the peak, and the
// largest tensors then.

// REFUSED: model.mlir:7:1: error: no plan is found for @train_step that fits in the 1 MB (1000000 bytes) of a device; the smallest found takes [[#]].{{[0-9]+}} MB ([[#]] bytes)
// REFUSED: note: no plan for @train_step takes less than [[#]].{{[0-9]+}} MB ([[#]] bytes)
// REFUSED: note: memory peaks while 'nn.{{[a-z_]+}}' runs in @train_step, on rank 0: 2.1 MB parameters + {{.*}} gradients
// REFUSED: model.mlir:{{[0-9]+}}:{{[0-9]+}}: note: 1.05 MB of this: {{parameter @(up|down)|gradient}}, tensor<
// REFUSED: note: more devices or more memory would help

// ZERO: error: --memory: "0" is no number of bytes above 0, such as 16000000 or 16MB; units are B, KB, MB, GB, TB, KiB, MiB, GiB, TiB
// UNIT: error: --memory: "3MX" is no number of bytes above 0

// If pins leave no plan, the error names a smallest set of such pins. The pin of
// the input costs hardly any memory.

// PINNED: error: no plan is found for @train_step that fits in the 6 MB (6000000 bytes) of a device
// PINNED-NOT: note
// PINNED: pinned.mlir:3:1: note: this pin leaves no plan that fits
// PINNED-NOT: note

// A signature that is pinned is one of them: here the product needs all of its operand.

// SIGNATURE: error: no plan is found for @train_step that fits in the 6 MB (6000000 bytes) of a device
// SIGNATURE-NOT: note
// SIGNATURE: signature.mlir:10:8: note: this pin leaves no plan that fits
// SIGNATURE-NOT: note

// Only two pins together leave no plan; the third one does not matter.

// BOTH: error: no plan is found for @train_step that fits in the 9 MB (9000000 bytes) of a device
// BOTH-NOT: note
// BOTH: both.mlir:3:1: note: together these pins leave no plan that fits: this one
// BOTH: both.mlir:4:1: note: together these pins leave no plan that fits: this one
// BOTH-NOT: note

//--- model.mlir

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-2, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>
nn.parameter @up : tensor<1024x1024xf32> = #nn.normal<0.02>
nn.parameter @down : tensor<1024x1024xf32> = #nn.normal<0.02>

func.func @loss(%x: tensor<16x1024xf32> {nn.input = "x"})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %up = nn.get @up : tensor<1024x1024xf32>
  %down = nn.get @down : tensor<1024x1024xf32>
  %h = nn.einsum "bi,ij->bj" %x, %up
      : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32>
  %g = nn.gelu %h : tensor<16x1024xf32>
  %y = nn.einsum "bj,jk->bk" %g, %down
      : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32>
  %z = nn.gelu %y : tensor<16x1024xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<16x1024xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- pinned.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-2, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>
nn.parameter @up : tensor<1024x1024xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [B]>}
nn.parameter @down : tensor<1024x1024xf32> = #nn.normal<0.02>

func.func @loss(%x: tensor<16x1024xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [B]>})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %up = nn.get @up : tensor<1024x1024xf32>
  %down = nn.get @down : tensor<1024x1024xf32>
  %h = nn.einsum "bi,ij->bj" %x, %up
      : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32>
  %g = nn.gelu %h : tensor<16x1024xf32>
  %y = nn.einsum "bj,jk->bk" %g, %down
      : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32>
  %z = nn.gelu %y : tensor<16x1024xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<16x1024xf32> -> tensor<f32>
  return %l : tensor<f32>
}

//--- both.mlir
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-2, beta = 1.0e-9>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>
nn.parameter @up : tensor<1024x1024xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [B]>}
nn.parameter @down : tensor<1024x1024xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [B]>}

func.func @loss(%x: tensor<16x1024xf32> {nn.input = "x", sbp.pin = #sbp.nd<@m, [B]>})
    -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
  %up = nn.get @up : tensor<1024x1024xf32>
  %down = nn.get @down : tensor<1024x1024xf32>
  %h = nn.einsum "bi,ij->bj" %x, %up
      : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32>
  %g = nn.gelu %h : tensor<16x1024xf32>
  %y = nn.einsum "bj,jk->bk" %g, %down
      : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32>
  %z = nn.gelu %y : tensor<16x1024xf32>
  %l = nn.reduce mean %z over [0, 1] : tensor<16x1024xf32> -> tensor<f32>
  return %l : tensor<f32>
}
