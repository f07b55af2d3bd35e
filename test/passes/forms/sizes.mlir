// RUN: sbp-opt %s --sbp-verify-tensors --split-input-file --verify-diagnostics

func.func @tensors_of_64_tebibytes_are_reckoned_with(%x: tensor<17592186044416xf32>) {
  return
}

// -----

// expected-error @+1 {{has the type 'tensor<9223372036854775807xf32>', which takes more than 70368744177664 bytes}}
func.func @larger_ones_are_not(%x: tensor<9223372036854775807xf32>) {
  return
}

// -----

// expected-error @+1 {{which takes more than 70368744177664 bytes}}
func.func @nor_are_they_beside_an_extent_of_zero(%x: tensor<0x9223372036854775807xf32>) {
  return
}

// -----

// expected-error @+1 {{which takes more than 70368744177664 bytes}}
nn.parameter @products_that_wrap_around : tensor<4294967296x4294967296xf32> = #nn.zeros

// -----

// expected-error @+1 {{has a tensor of 17 dimensions; at most 16 are placed}}
func.func @dimensions_are_few(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  return
}

// -----

// expected-error @+1 {{has the type 'tensor<?xf32>'; a tensor must have a static shape and numbers as elements}}
func.func @extents_are_known(%x: tensor<?xf32>) {
  return
}
