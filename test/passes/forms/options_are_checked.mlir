// An option of a pass accepts the values of sbpc's option of the same name, and refuses
// others with the same message.

// RUN: not sbp-opt %s --sbp-choose-stages=stages=-1 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=-1
// RUN: not sbp-opt %s --sbp-choose-stages=stages=99999999999 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=99999999999
// RUN: not sbp-opt %s "--sbp-choose-stages=stages=2 groups=-1" 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=-1
// STAGES: "[[GIVEN]]" is no integer from 1 to 65536

// RUN: not sbp-opt %s --sbp-differentiate=micro-batches=-3 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=-3
// RUN: not sbp-opt %s --sbp-schedule-stages=micro-batches=1025 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=1025
// RUN: not sbp-opt %s --sbp-to-placed=micro-batches=two 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=two
// PARTS: "[[GIVEN]]" is no integer from 1 to 1024

// RUN: not sbp-opt %s --sbp-place=memory=-1 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=-1
// RUN: not sbp-opt %s --sbp-to-local=memory=nan 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=nan
// RUN: not sbp-opt %s --sbp-choose-stages=search-memory=many 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=many
// BYTES: "[[GIVEN]]" is no number of bytes above 0, such as 16000000 or 16MB

// RUN: not sbp-opt %s --sbp-place=search-seconds=-1 2>&1 | FileCheck %s --check-prefix=SECONDS -DGIVEN=-1
// RUN: not sbp-opt %s --sbp-place=search-seconds=inf 2>&1 | FileCheck %s --check-prefix=SECONDS -DGIVEN=inf
// SECONDS: "[[GIVEN]]" is no finite number above 0

// The printed text of a pipeline can be parsed, including options with default values.
// RUN: sbp-opt %s --sbp-place=memory=64MB --dump-pass-pipeline 2> %t.pipeline > %t.placed
// RUN: FileCheck %s --check-prefix=DUMPED < %t.pipeline
// DUMPED: sbp-place{{[{].*}}memory=6.4{{0*}}e+07{{.*}}place-by=search search-memory=0

// sbp-opt places programs as sbpc does.
// RUN: sbpc %s --emit placed > %t.sbpc
// RUN: sbp-opt %s --sbp-differentiate --sbp-bound-inputs --canonicalize --cse --sbp-place --sbp-spell-names > %t.passes
// RUN: sbp-opt %s --sbp-to-placed > %t.pipeline
// RUN: diff %t.sbpc %t.pipeline
// RUN: diff %t.sbpc %t.passes

module @options {
  sbp.machine @m [#sbp.level<"gpu" x 2, alpha = 2.0e-6, beta = 2.0e-10>]
  nn.parameter @w : tensor<4x4xf32> = #nn.normal<0.5>
  func.func @loss(%x: tensor<8x4xf32> {nn.input = "x"}, %y: tensor<8x4xf32> {nn.input = "y"})
      -> (tensor<f32> {nn.output = "loss"}) attributes {nn.optimizer = #nn.sgd} {
    %w = nn.get @w : tensor<4x4xf32>
    %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %l = nn.mse %h, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<f32>
    return %l : tensor<f32>
  }
}
