// An option of a pass accepts the values of sbpc's option of the same name, and refuses
// others with the same message.

// RUN: not sbp-opt %s --sbp-choose-stages=stages=-1 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=-1
// RUN: not sbp-opt %s --sbp-choose-stages=stages=99999999999 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=99999999999
// RUN: not sbp-opt %s "--sbp-choose-stages=stages=2 groups=-1" 2>&1 | FileCheck %s --check-prefix=GROUPS -DGIVEN=-1
// RUN: not sbp-opt %s "--sbp-choose-stages=stages=2 groups=0" 2>&1 | FileCheck %s --check-prefix=GROUPS -DGIVEN=0
// RUN: not sbp-opt %s "--sbp-choose-stages=stages=2 groups=256x257" 2>&1 | FileCheck %s --check-prefix=GROUPS -DGIVEN=256x257
// RUN: not sbp-opt %s --sbp-choose-stages=stages=0 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=0
// RUN: not sbp-opt %s --sbp-choose-stages=stages= 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=
// RUN: not sbp-opt %s --sbp-to-placed=stages=0 2>&1 | FileCheck %s --check-prefix=STAGES -DGIVEN=0
// STAGES: {{^}}error: stages: "[[GIVEN]]" is no integer from 1 to 65536{{$}}
// GROUPS: {{^}}error: groups: "[[GIVEN]]" is no integer from 1 to 65536, nor a product of one per level, as 1x8x1{{$}}

// RUN: not sbp-opt %s --sbp-differentiate=micro-batches=-3 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=-3
// RUN: not sbp-opt %s --sbp-schedule-stages=micro-batches=1025 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=1025
// RUN: not sbp-opt %s --sbp-to-placed=micro-batches=two 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=two
// RUN: not sbp-opt %s --sbp-differentiate=micro-batches=0 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=0
// RUN: not sbp-opt %s --sbp-schedule-stages=micro-batches=0 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=0
// RUN: not sbp-opt %s --sbp-choose-stages=micro-batches=0 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=0
// RUN: not sbp-opt %s --sbp-to-placed=micro-batches=0 2>&1 | FileCheck %s --check-prefix=PARTS -DGIVEN=0
// PARTS: {{^}}error: micro-batches: "[[GIVEN]]" is no integer from 1 to 1024{{$}}

// RUN: not sbp-opt %s --sbp-place=memory=-1 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=-1
// RUN: not sbp-opt %s --sbp-to-local=memory=nan 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=nan
// RUN: not sbp-opt %s --sbp-choose-stages=search-memory=many 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=many
// RUN: not sbp-opt %s --sbp-place=memory=0 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=0
// RUN: not sbp-opt %s --sbp-choose-stages=memory=0.0 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=0.0
// RUN: not sbp-opt %s --sbp-to-placed=search-memory=0 2>&1 | FileCheck %s --check-prefix=BYTES -DGIVEN=0
// BYTES: {{^}}error: {{(search-)?}}memory: "[[GIVEN]]" is no number of bytes above 0, such as 16000000 or 16MB

// RUN: not sbp-opt %s --sbp-place=search-seconds=-1 2>&1 | FileCheck %s --check-prefix=SECONDS -DGIVEN=-1
// RUN: not sbp-opt %s --sbp-place=search-seconds=inf 2>&1 | FileCheck %s --check-prefix=SECONDS -DGIVEN=inf
// RUN: not sbp-opt %s --sbp-choose-stages=search-seconds=0 2>&1 | FileCheck %s --check-prefix=SECONDS -DGIVEN=0
// SECONDS: {{^}}error: search-seconds: "[[GIVEN]]" is no finite number above 0{{$}}

// RUN: not sbp-opt %s --sbp-place=place-by=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=place-by -DNAMES="search, propagation"
// RUN: not sbp-opt %s --sbp-to-placed=place-by=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=place-by -DNAMES="search, propagation"
// RUN: not sbpc %s --place-by luck 2>&1 | sed 's/: --/: /; s/; --help.*//' | FileCheck %s --check-prefix=CHOICE -DOPTION=place-by -DNAMES="search, propagation"
// RUN: not sbp-opt %s --sbp-place=space=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=space -DNAMES="full, autoddl"
// RUN: not sbp-opt %s --sbp-place=layers=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=layers -DNAMES="tied, free"
// RUN: not sbp-opt %s --sbp-place=goal=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=goal -DNAMES="time, memory"
// RUN: not sbp-opt %s --sbp-differentiate=reduce=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=reduce -DNAMES="f32, bf16"
// RUN: not sbp-opt %s --sbp-choose-stages=reduce=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=reduce -DNAMES="f32, bf16"
// RUN: not sbp-opt %s --sbp-schedule-stages=execute=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=execute -DNAMES="static, messages"
// RUN: not sbp-opt %s --sbp-place=divide-levels=luck 2>&1 | FileCheck %s --check-prefix=CHOICE -DOPTION=divide-levels -DNAMES="true, false"
// RUN: not sbpc %s --divide-levels=luck 2>&1 | sed 's/: --/: /; s/; --help.*//' | FileCheck %s --check-prefix=CHOICE -DOPTION=divide-levels -DNAMES="true, false"
// CHOICE: {{^}}error: [[OPTION]]: "luck" is none of [[NAMES]]{{$}}

// An option has a value, and only one. Some need or exclude others.
// RUN: not sbp-opt %s --sbp-place=mesh 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: {{^}}error: mesh: 1 required NAME missing{{$}}
// RUN: not sbp-opt %s "--sbp-place=mesh=m mesh=n" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: {{^}}error: mesh: At Most 1 required but received 2{{$}}
// RUN: not sbp-opt %s --sbp-choose-stages=groups=1 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: not sbp-opt %s --sbp-to-placed=groups=1 2>&1 | FileCheck %s --check-prefix=NEEDS
// NEEDS: {{^}}error: groups requires stages{{$}}
// RUN: not sbp-opt %s "--sbp-to-placed=stages=1 mesh=m" 2>&1 | FileCheck %s --check-prefix=EXCLUDES -DOTHER=mesh
// RUN: not sbp-opt %s "--sbp-to-placed=stages=1 divide-levels" 2>&1 | FileCheck %s --check-prefix=EXCLUDES -DOTHER=divide-levels
// EXCLUDES: {{^}}error: stages excludes [[OTHER]]{{$}}
// RUN: not sbp-opt %s --sbp-place=stages=1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}error: no such option stages; options are mesh, place-by, divide-levels,

// The printed text of a pipeline can be parsed. Options that are not given have no value in it.
// RUN: sbp-opt %s "--sbp-choose-stages=stages=1" "--sbp-differentiate=optimizer='#nn.sgd<momentum = 0.5>'" \
// RUN:     "--sbp-place=memory=123456789013 search-seconds=0.1" --dump-pass-pipeline -o /dev/null 2> %t.dump
// RUN: grep '^builtin.module(' -A 4 %t.dump > %t.pipeline
// RUN: FileCheck %s --check-prefix=DUMPED < %t.pipeline
//      DUMPED: sbp-choose-stages{groups= memory= micro-batches= reduce=f32 schedule= search-memory= search-seconds=60 stages=1 terse=false}
// DUMPED-NEXT: sbp-differentiate{function= micro-batches= optimizer={#nn.sgd<momentum = 0.5>} reduce=f32}
// DUMPED-NEXT: sbp-place{{[{].*}}memory=123456789013 mesh= place-by=search search-memory= search-seconds=0.1 space=full}
// RUN: sh -c 'sbp-opt "$0" --pass-pipeline="$(cat "$1")" --dump-pass-pipeline -o /dev/null' %s %t.pipeline 2>&1 \
// RUN:   | grep '^builtin.module(' -A 4 | diff %t.pipeline -

// So does that of a pass that fails.
// RUN: not sbp-opt %s "--sbp-to-placed=mesh=absent micro-batches=2" --mlir-disable-threading --mlir-pass-pipeline-crash-reproducer=%t.fault
// RUN: not sbp-opt %t.fault --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: the module defines no mesh @absent; it has @m

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
