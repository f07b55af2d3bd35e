// RUN: sbpc %s --micro-batches 4 --schedule interleaved --emit plan -o - | FileCheck %s
// RUN: sbpc %s --micro-batches 4 --schedule interleaved --execute messages --emit plan -o - | FileCheck %s --check-prefix=MESSAGES
// RUN: echo "0F0,0F1,2F0,2F1,2B0,2B1,0B0,0B1" > %t.csv
// RUN: echo "1F0,1F1,3F0,3F1,3B0,3B1,1B0,1B1" >> %t.csv
// RUN: sed 's/0B0,0B1/0B0,2G,0B1/' %t.csv > %t.later.csv
// RUN: sbpc %s --schedule %t.csv --emit plan -o - | FileCheck %s --check-prefix=SOON
// RUN: sbpc %s --schedule %t.later.csv --emit plan -o - | FileCheck %s --check-prefix=LATER

// A group with two stages reduces the gradients of the stage that ends first over its ranks
// at once, by a block that runs once, during the backward pass of the other stage; or at the
// position in the schedule. Block 6 is 2B, 9 is 0B, and 10 is 2G. If messages decide, this
// block is the least urgent one.

//    CHECK-LABEL: "name": "0B", "first"
//          CHECK: "name": "2G",
//          CHECK: "runs": 1,
//     CHECK-NEXT: "once": true,
//     CHECK-NEXT: "title": "stage 2, reduction of gradients"
//      CHECK-NOT: "name": "0G"
// MESSAGES-LABEL: "name": "0B", "first"
//       MESSAGES: "name": "2G",
//       MESSAGES: "runs": 1,
//  MESSAGES-NEXT: "once": true,
//  MESSAGES-NEXT: "title": "stage 2, reduction of gradients"
//   MESSAGES-NOT: "name": "0G"
//       MESSAGES: "urgencies":
//       MESSAGES: 5
//       MESSAGES: ],
//       MESSAGES: "inShape": [11]

//      SOON: "name": "2G"
//      SOON: [6, 1],
// SOON-NEXT: [10, 0],
//     LATER: "name": "2G"
//     LATER: [9, 0],
//     LATER: [10, 0],
//     LATER: [9, 1]

sbp.machine @machine [#sbp.level<"cpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @machine ranks [0, 1] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @back of @machine ranks [2, 3] [#sbp.axis<"data" x 2 in "cpu">]
sbp.stages [@front, @back, @front, @back]

nn.parameter @w0 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w2 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w3 : tensor<8x8xf32> = #nn.normal<0.1>

func.func private @layer(%x: tensor<512x8xf32>, %w: tensor<8x8xf32>) -> tensor<512x8xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %y = nn.tanh %h : tensor<512x8xf32>
  return %y : tensor<512x8xf32>
}

func.func @loss(%x: tensor<512x8xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<8x8xf32>
  %w1 = nn.get @w1 : tensor<8x8xf32>
  %w2 = nn.get @w2 : tensor<8x8xf32>
  %w3 = nn.get @w3 : tensor<8x8xf32>
  %h0 = call @layer(%x, %w0) {sbp.stage = 0} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %h1 = call @layer(%h0, %w1) {sbp.stage = 1} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %h2 = call @layer(%h1, %w2) {sbp.stage = 2} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %h3 = call @layer(%h2, %w3) {sbp.stage = 3} : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %loss = nn.reduce mean %h3 over [0, 1] : tensor<512x8xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
