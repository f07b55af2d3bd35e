// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @reshape_c1_count(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{changes 'tensor<4x3xf32>' with 12 elements to 'tensor<5xf32>' with 5}}
  %y = nn.reshape %x : tensor<4x3xf32> -> tensor<5xf32>
  return
}

// -----

func.func @reshape_c1_element_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{changes the element type from 'f32' to 'i32'}}
  %y = nn.reshape %x : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @transpose_c1_twice(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{takes dimension 0 twice}}
  %y = nn.transpose %x [0, 0] : tensor<4x3xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_c1_range(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{dimension 2 is none of a tensor of rank 2}}
  %y = nn.transpose %x [0, 2] : tensor<4x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @transpose_c1_count(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has 1 permuted dimensions for a tensor of rank 2}}
  %y = nn.transpose %x [0] : tensor<4x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @transpose_c2(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4x3xf32>', but infers 'tensor<3x4xf32>'}}
  %y = nn.transpose %x [1, 0] : tensor<4x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{repeats 'tensor<4xf32>' to 'tensor<4x5xf32>', to which it does not broadcast}}
  %y = nn.broadcast %x : tensor<4xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<1xf32>) {
  // expected-error @+1 {{changes the element type from 'f32' to 'i32'}}
  %y = nn.broadcast %x : tensor<1xf32> -> tensor<5xi32>
  return
}

// -----

func.func @slice_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{takes [6, 9) of dimension 1, which has extent 8}}
  %y = nn.slice %x [0, 6] [4, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @slice_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has 1 offsets for a tensor of rank 2}}
  %y = nn.slice %x [0] [4, 3] : tensor<4x8xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{pads dimension 0 by -1 and 0; neither may be negative}}
  %y = nn.pad %x [-1] [0] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @concat_c4(%x: tensor<4x3xf32>, %y: tensor<5x3xf32>) {
  // expected-error @+1 {{'tensor<4x3xf32>' and 'tensor<5x3xf32>' do not join along dimension 1}}
  %z = nn.concat %x, %y dim 1 : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @concat_c1() {
  // expected-error @+1 {{joins no tensors; it needs at least one}}
  %z = nn.concat dim 0 : () -> tensor<0xf32>
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{has a literal of type 'tensor<2xf32>' and a result of type 'tensor<3xf32>'}}
  %z = nn.constant dense<1.0> : tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @constant_c2_the_resource_is_there() {
  // expected-error @+1 {{needs the resource 'absent', which the file does not have}}
  %z = nn.constant dense_resource<absent> : tensor<2xf32>
  return
}

// -----

func.func @constant_c2_the_resource_has_all_elements() {
  // expected-error @+1 {{has 4 bytes in the resource 'one' for a literal of type 'tensor<2xf32>'}}
  %z = nn.constant dense_resource<one> : tensor<2xf32>
  return
}

{-# dialect_resources: {builtin: {one: "0x040000000000803F"}} #-}

// -----

func.func @constant_c3_zeros_have_room() {
  // expected-error @+1 {{has a sparse literal of type 'tensor<1048576x1048576xf32>', which takes more than 1073741824 bytes with its zeros}}
  %z = nn.constant sparse<[[0, 1]], [1.0]> : tensor<1048576x1048576xf32>
  return
}

// -----

func.func @constant_has_no_complex_numbers() {
  // expected-error @+1 {{result #0 must be statically shaped tensor of}}
  %z = nn.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @constant_c1_is_no_vector() {
  // expected-error @+1 {{has a literal of type 'vector<2xf32>' and a result of type 'tensor<2xf32>'}}
  %z = nn.constant dense<1.0> : vector<2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @constant_is_a_tensor() {
  // expected-error @+1 {{expected a tensor literal: dense, sparse or dense_resource}}
  %z = nn.constant 1.0 : f32
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+1 {{counts along dimension 1 of a tensor of rank 1}}
  %z = nn.iota dim 1 : () -> tensor<4xi32>
  return
}

// -----

func.func @part_c1(%k: tensor<i64>, %x: tensor<4x5xf32>) {
  // expected-error @+1 {{dimension 2 is none of a tensor of rank 2}}
  %y = nn.part %k of %x dim 2 : (tensor<i64>, tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @part_c2(%k: tensor<i64>, %x: tensor<4x0xf32>) {
  // expected-error @+1 {{takes an element of dimension 1 of 'tensor<4x0xf32>', which has none}}
  %y = nn.part %k of %x dim 1 : (tensor<i64>, tensor<4x0xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4x8xf32>', but infers 'tensor<4x3xf32>'}}
  %y = nn.slice %x [0, 2] [4, 3] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @part_c3(%k: tensor<i64>, %x: tensor<4x5xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4x1xf32>', but infers 'tensor<4xf32>'}}
  %y = nn.part %k of %x dim 1 : (tensor<i64>, tensor<4x5xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @pad_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 high pads for a tensor of rank 1}}
  %y = nn.pad %x [1] [0, 1] : tensor<4xf32> -> tensor<6xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<6xf32>', but infers 'tensor<5xf32>'}}
  %y = nn.pad %x [1] [0] : tensor<4xf32> -> tensor<6xf32>
  return
}

// -----

func.func @concat_c2(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{element types 'f32' and 'i32' differ}}
  %z = nn.concat %x, %y dim 0 : (tensor<4xf32>, tensor<4xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @concat_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{dimension 1 is none of a tensor of rank 1}}
  %z = nn.concat %x, %x dim 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @concat_c5(%x: tensor<4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', but infers 'tensor<8xf32>'}}
  %z = nn.concat %x, %x dim 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
