// RUN: sbpc explain %s --plan --html %t.html | FileCheck %s
// RUN: sbpc explain %s --plan --json | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=PAGE < %t.html

// With slow links within nodes, pipelines along these have rows of their own.
// RUN: sed 's/\(#sbp.level<"node"[^>]*>\), \(#sbp.level<"gpu"[^>]*>\)/\2, \1/' %s > %t.inner.mlir
// RUN: sbpc explain %t.inner.mlir --plan | FileCheck %s --check-prefix=INNER
//      INNER: What if, the best pipeline with each number
//      INNER: groups {{ *}}1 {{ *}}1 / 1 / {{.*}}s
// INNER-NEXT:          1x2 {{ *}}1x2 / {{.*}}s
// INNER-NEXT:          2 {{ *}}2 / {{.*}}s
//      INNER: What if devices had less memory
//      INNER: 1 GB {{.*}} 1x2 / {{.*}}s

// Where memory is short, also with layers that keep less, worth a choice or not.
// RUN: sbpc explain %s --plan --memory 130kB | FileCheck %s --check-prefix=KEPT
//      KEPT:   kept {{ *}}all {{.*}}s
// KEPT-NEXT:        products {{.*}} / products {{.*}}s
// KEPT-NEXT:        inputs {{.*}} / inputs {{.*}}s

//      CHECK: Pipelines, the best of each kind
//      CHECK: What if, the best pipeline with each number
// CHECK-NEXT:   with {{ *}}groups / stages / micro-batches / schedule {{ *}}estimated {{ *}}timed {{ *}}none below
// CHECK-NEXT:   groups {{ *}}1 {{ *}}1 / 1 / {{.*}}s
//      CHECK:          2 {{ *}}2 / {{.*}}s
//      CHECK:   micro-batches {{ *}}1
//      CHECK:   schedule {{ *}}1f1b
//      CHECK: What if devices had less memory
// CHECK-NEXT:   within {{ *}}takes {{ *}}estimated
// CHECK-NEXT:   1 GB
//      CHECK:   none fits

//       JSON: "what_if": {
//       JSON: "property": "groups",
//  JSON-NEXT: "value": "1",
//       JSON: "lower_bound":
//       JSON: "memory_front": [
//       JSON: "memory": 1000000000
//       JSON: "bytes":

// PAGE: "what_if"

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
