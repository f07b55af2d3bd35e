// RUN: sbpc %s --micro-batches 8 --schedule list --target cuda --emit plan -o %t && FileCheck %s --check-prefix=ONE < %t
// RUN: sbpc %s --micro-batches 8 --schedule interleaved --target cuda --emit plan -o %t && FileCheck %s --check-prefix=ONE < %t
// RUN: sed 's/call @layer(%h2,/call @layer(%joined,/; s|// %joined|%joined|' %s > %t.joined
// RUN: echo "0F0,0F1,2F0,2F1,2B0,2B1,0B0,0B1" > %t.csv
// RUN: echo "1F0,1F1,3F0,3F1,3B0,3B1,1B0,1B1" >> %t.csv
// RUN: sbpc %s --schedule %t.csv --target cuda --emit plan -o %t && FileCheck %s --check-prefix=ONE < %t
// RUN: sbpc %t.joined --schedule %t.csv --target cuda --emit plan -o %t && FileCheck %s --check-prefix=TWO < %t
// RUN: sbpc %t.joined --schedule %t.csv --target cuda -o %t && %t --describe | FileCheck %s --check-prefix=DESCRIBED

// NCCL does not distinguish messages: the first message that a rank sends to another one is
// the first that this one receives. So receives start in the order in which their group
// sends, even if the sender runs ahead with one of its stages, and the receiver with another
// one. If a task receives the messages of two tasks of a group while other tasks send in
// between, transfers whose messages overtake each other get channels of their own.

// ONE-NOT: "channel"
//     ONE: "sendsInOrder": true
// TWO: "channel": 1
// TWO: "sendsInOrder": true
// DESCRIBED: messages between stages: peer, nccl on 2 channels, staged

sbp.machine @machine [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
    device #sbp.device<kind = gpu, memory = 1.0e10, bandwidth = 1.0e12, rates = [#sbp.rate<f32, 1.0e13>]>
sbp.mesh @front of @machine ranks [0] [#sbp.axis<"one" x 1 in "gpu">]
sbp.mesh @back of @machine ranks [1] [#sbp.axis<"one" x 1 in "gpu">]
sbp.stages [@front, @back, @front, @back]

nn.parameter @w0 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w1 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w2 : tensor<8x8xf32> = #nn.normal<0.1>
nn.parameter @w3 : tensor<8x8xf32> = #nn.normal<0.1>

func.func private @layer(%x: tensor<16x8xf32>, %w: tensor<8x8xf32>) -> tensor<16x8xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %y = nn.tanh %h : tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

func.func @loss(%x: tensor<16x8xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd} {
  %w0 = nn.get @w0 : tensor<8x8xf32>
  %w1 = nn.get @w1 : tensor<8x8xf32>
  %w2 = nn.get @w2 : tensor<8x8xf32>
  %w3 = nn.get @w3 : tensor<8x8xf32>
  %h0 = call @layer(%x, %w0) {sbp.stage = 0} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %h1 = call @layer(%h0, %w1) {sbp.stage = 1} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %h2 = call @layer(%h1, %w2) {sbp.stage = 2} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %early = nn.exp %h0 {sbp.stage = 0} : tensor<16x8xf32>
  // %joined = nn.add %h2, %early {sbp.stage = 3} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %h3 = call @layer(%h2, %w3) {sbp.stage = 3} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %loss = nn.reduce mean %h3 over [0, 1] : tensor<16x8xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
