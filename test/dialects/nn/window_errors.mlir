// RUN: sbp-opt %s --split-input-file --verify-diagnostics

func.func @convolution_c1(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{relates 'tensor<2x3x8x8xf32>', 'tensor<4x3x3xf32>' and 'tensor<2x4x6x6xf32>', which are not [N, C, space...], [F, C, window...] and [N, F, space...]}}
  %y = nn.convolution %x, %w : (tensor<2x3x8x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x6x6xf32>
  return
}

// -----

func.func @convolution_c1_element(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf64>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %y = nn.convolution %x, %w : (tensor<2x3x8xf32>, tensor<4x3x3xf64>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c2_count(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{has 1 strides for 2 spatial dimensions}}
  %y = nn.convolution %x, %w strides [2] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32>
  return
}

// -----

func.func @convolution_c2_least(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{has 0 among its strides, which are at least 1}}
  %y = nn.convolution %x, %w strides [0] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c2_pads(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{has -1 among its low pads, which are at least 0}}
  %y = nn.convolution %x, %w low [-1] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @convolution_c3_channels(%x: tensor<2x3x8xf32>, %w: tensor<4x5x3xf32>) {
  // expected-error @+1 {{has 3 and 5 channels, in 'tensor<2x3x8xf32>' and 'tensor<4x5x3xf32>'}}
  %y = nn.convolution %x, %w : (tensor<2x3x8xf32>, tensor<4x5x3xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @convolution_c3_samples(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{has 2 and 1 samples}}
  %y = nn.convolution %x, %w : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<1x4x6xf32>
  return
}

// -----

func.func @convolution_c3_filters(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{has 4 and 3 filters}}
  %y = nn.convolution %x, %w : (tensor<2x3x8xf32>, tensor<4x3x3xf32>) -> tensor<2x3x6xf32>
  return
}

// -----

func.func @convolution_c4(%x: tensor<2x3x8x9xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{has 8 windows in spatial dimension 1, where 4 fit, in 'tensor<2x3x8x9xf32>' and 'tensor<2x4x6x8xf32>'}}
  %y = nn.convolution %x, %w strides [1, 2] : (tensor<2x3x8x9xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x8xf32>
  return
}

// -----

func.func @convolution_c4_none_fits(%x: tensor<2x3x2xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{has 1 windows in spatial dimension 0, where 0 fit}}
  %y = nn.convolution %x, %w : (tensor<2x3x2xf32>, tensor<4x3x3xf32>) -> tensor<2x4x1xf32>
  return
}

// -----

func.func @convolution_c4_empty_window(%x: tensor<2x3x2xf32>, %w: tensor<4x3x0xf32>) {
  // expected-error @+1 {{has windows of extent 0 in spatial dimension 0}}
  %y = nn.convolution %x, %w : (tensor<2x3x2xf32>, tensor<4x3x0xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @convolution_c4_part(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{has 7 windows in spatial dimension 0, where 6 fit}}
  %y = nn.convolution %x, %w from %i in [0] : (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<i64>) -> tensor<2x4x7xf32>
  return
}

// -----

func.func @convolution_c5_count(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{has 1 first outputs for 2 spatial dimensions}}
  %y = nn.convolution %x, %w from %i in [0, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<i64>) -> tensor<2x4x2x6xf32>
  return
}

// -----

func.func @convolution_c5_dimension(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{has first outputs in the spatial dimensions [2], which must ascend and be below 2}}
  %y = nn.convolution %x, %w from %i in [2] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<i64>) -> tensor<2x4x2x6xf32>
  return
}

// -----

// A split along a spatial dimension needs the whole input.
func.func @convolution_signature(%x: tensor<2x3x8xf32, #sbp.nd<@m, [S(2)]>>,
                                 %w: tensor<4x3x3xf32, #sbp.nd<@m, [B]>>) {
  // expected-error @+2 {{has no signature (S(2), B) -> (S(2)) (mesh axis 0)}}
  // expected-note @+1 {{its signatures are (B, B) -> (B); (S(0), B) -> (S(0)); (B, S(0)) -> (S(1)); (S(1), S(1)) -> (P(sum)); (B, B) -> (S(2)); (P(sum), B) -> (P(sum)); (B, P(sum)) -> (P(sum))}}
  %y = nn.convolution %x, %w
     : (tensor<2x3x8xf32, #sbp.nd<@m, [S(2)]>>, tensor<4x3x3xf32, #sbp.nd<@m, [B]>>)
    -> tensor<2x4x6xf32, #sbp.nd<@m, [S(2)]>>
  return
}

// -----

func.func @pool_c1(%x: tensor<2x3x8xf32>) {
  // expected-error @+1 {{pools 'tensor<2x3x8xf32>' to 'tensor<2x4x4xf32>', which are not both [N, C, space...], with the same N and C}}
  %y = nn.pool max %x over [2] strides [2] : (tensor<2x3x8xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @pool_c2_extents(%x: tensor<2x3x8xf32>) {
  // expected-error @+1 {{has windows of 2 extents for 1 spatial dimensions}}
  %y = nn.pool max %x over [2, 2] : (tensor<2x3x8xf32>) -> tensor<2x3x7xf32>
  return
}

// -----

func.func @pool_c2(%x: tensor<2x3x8xf32>) {
  // expected-error @+1 {{has 2 dilations for 1 spatial dimensions}}
  %y = nn.pool mean %x over [2] dilations [1, 1] : (tensor<2x3x8xf32>) -> tensor<2x3x7xf32>
  return
}

// -----

func.func @pool_c3(%x: tensor<2x3x8xf32>) {
  // expected-error @+1 {{has 8 windows in spatial dimension 0, where 7 fit}}
  %y = nn.pool sum %x over [2] : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @pool_grad_c5(%x: tensor<2x3x8xf32>, %g: tensor<2x3x7xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<2x3x8xf32>' and 'tensor<2x3x9xf32>'}}
  %d = nn.pool_grad max %x, %g over [2] : (tensor<2x3x8xf32>, tensor<2x3x7xf32>) -> tensor<2x3x9xf32>
  return
}

// -----

func.func @batch_norm_c1_rank(%x: tensor<3xf32>, %v: tensor<3xf32>) {
  // expected-error @+1 {{normalises the channels of 'tensor<3xf32>', which is not [N, C, ...]}}
  %y = nn.batch_norm %x, %v, %v, %v, %v : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @batch_norm_c1_vectors(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{normalises 3 channels by 'tensor<4xf32>'}}
  %y = nn.batch_norm %x, %v, %v, %w, %v : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @batch_variance_c1(%x: tensor<2x3x4xf32>, %v: tensor<2xf32>) {
  // expected-error @+1 {{normalises 3 channels by 'tensor<2xf32>'}}
  %y = nn.batch_variance %x, %v : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @convolution_input_grad_c1(%a: tensor<4x3xf32>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{which are not [N, C, space...], [F, C, window...] and [N, F, space...]}}
  %d = nn.convolution_input_grad %a, %b : (tensor<4x3xf32>, tensor<2x4x6xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @convolution_input_grad_c1_element_type(%a: tensor<4x3x3xf64>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %d = nn.convolution_input_grad %a, %b : (tensor<4x3x3xf64>, tensor<2x4x6xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @convolution_input_grad_c2(%a: tensor<4x3x3xf32>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{has 2 strides for 1 spatial dimensions}}
  %d = nn.convolution_input_grad %a, %b strides [1, 1] : (tensor<4x3x3xf32>, tensor<2x4x6xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @convolution_input_grad_c3(%a: tensor<4x5x3xf32>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{has 3 and 5 channels}}
  %d = nn.convolution_input_grad %a, %b : (tensor<4x5x3xf32>, tensor<2x4x6xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @convolution_input_grad_c4(%a: tensor<4x3x3xf32>, %b: tensor<2x4x7xf32>) {
  // expected-error @+1 {{has 7 windows in spatial dimension 0, where 6 fit}}
  %d = nn.convolution_input_grad %a, %b : (tensor<4x3x3xf32>, tensor<2x4x7xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @convolution_input_grad_c5(%a: tensor<4x3x3xf32>, %b: tensor<2x4x6xf32>, %k: tensor<i64>) {
  // expected-error @+1 {{has first outputs in the spatial dimensions [1], which must ascend and be below 1}}
  %d = nn.convolution_input_grad %a, %b from %k in [1] : (tensor<4x3x3xf32>, tensor<2x4x6xf32>, tensor<i64>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @convolution_filter_grad_c1(%a: tensor<2x3x8xf32>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{which are not [N, C, space...], [F, C, window...] and [N, F, space...]}}
  %d = nn.convolution_filter_grad %a, %b : (tensor<2x3x8xf32>, tensor<2x4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @convolution_filter_grad_c1_element_type(%a: tensor<2x3x8xf32>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %d = nn.convolution_filter_grad %a, %b : (tensor<2x3x8xf32>, tensor<2x4x6xf32>) -> tensor<4x3x3xf64>
  return
}

// -----

func.func @convolution_filter_grad_c2(%a: tensor<2x3x8xf32>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{has 2 strides for 1 spatial dimensions}}
  %d = nn.convolution_filter_grad %a, %b strides [1, 1] : (tensor<2x3x8xf32>, tensor<2x4x6xf32>) -> tensor<4x3x3xf32>
  return
}

// -----

func.func @convolution_filter_grad_c3(%a: tensor<2x3x8xf32>, %b: tensor<2x4x6xf32>) {
  // expected-error @+1 {{has 3 and 5 channels}}
  %d = nn.convolution_filter_grad %a, %b : (tensor<2x3x8xf32>, tensor<2x4x6xf32>) -> tensor<4x5x3xf32>
  return
}

// -----

func.func @convolution_filter_grad_c4(%a: tensor<2x3x8xf32>, %b: tensor<2x4x7xf32>) {
  // expected-error @+1 {{has 7 windows in spatial dimension 0, where 6 fit}}
  %d = nn.convolution_filter_grad %a, %b : (tensor<2x3x8xf32>, tensor<2x4x7xf32>) -> tensor<4x3x3xf32>
  return
}

// -----

func.func @convolution_filter_grad_c5(%a: tensor<2x3x8xf32>, %b: tensor<2x4x6xf32>, %k: tensor<i64>) {
  // expected-error @+1 {{has first outputs in the spatial dimensions [1], which must ascend and be below 1}}
  %d = nn.convolution_filter_grad %a, %b from %k in [1] : (tensor<2x3x8xf32>, tensor<2x4x6xf32>, tensor<i64>) -> tensor<4x3x3xf32>
  return
}

// -----

func.func @pool_c1_element_type(%x: tensor<2x3x8xf32>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %y = nn.pool max %x over [2] : (tensor<2x3x8xf32>) -> tensor<2x3x7xf64>
  return
}

// -----

func.func @pool_c2_empty_window(%x: tensor<2x3x8xf32>) {
  // expected-error @+1 {{has windows of extent 0 in spatial dimension 0; it must be at least 1}}
  %y = nn.pool max %x over [0] : (tensor<2x3x8xf32>) -> tensor<2x3x9xf32>
  return
}

// -----

func.func @pool_c4(%x: tensor<2x3x8xf32>, %k: tensor<i64>) {
  // expected-error @+1 {{has 1 first outputs for 2 spatial dimensions}}
  %y = nn.pool max %x over [2] from %k in [0, 0] : (tensor<2x3x8xf32>, tensor<i64>) -> tensor<2x3x7xf32>
  return
}

// -----

func.func @pool_grad_c1(%x: tensor<2x3x8xf32>, %g: tensor<2x4x7xf32>) {
  // expected-error @+1 {{pools 'tensor<2x3x8xf32>' to 'tensor<2x4x7xf32>', which are not both [N, C, space...], with the same N and C}}
  %d = nn.pool_grad max %x, %g over [2] : (tensor<2x3x8xf32>, tensor<2x4x7xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @pool_grad_c2(%x: tensor<2x3x8xf32>, %g: tensor<2x3x7xf32>) {
  // expected-error @+1 {{has windows of 2 extents for 1 spatial dimensions}}
  %d = nn.pool_grad max %x, %g over [2, 2] : (tensor<2x3x8xf32>, tensor<2x3x7xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @pool_grad_c3(%x: tensor<2x3x8xf32>, %g: tensor<2x3x8xf32>) {
  // expected-error @+1 {{has 8 windows in spatial dimension 0, where 7 fit}}
  %d = nn.pool_grad max %x, %g over [2] : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @pool_grad_c4(%x: tensor<2x3x8xf32>, %g: tensor<2x3x7xf32>, %k: tensor<i64>) {
  // expected-error @+1 {{has first outputs in the spatial dimensions [1], which must ascend and be below 1}}
  %d = nn.pool_grad max %x, %g over [2] from %k in [1] : (tensor<2x3x8xf32>, tensor<2x3x7xf32>, tensor<i64>) -> tensor<2x3x8xf32>
  return
}

// -----

func.func @batch_variance_c2(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<4xf32>', but infers 'tensor<3xf32>'}}
  %y = nn.batch_variance %x, %v : (tensor<2x3x4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @batch_norm_c1_element_type(%x: tensor<2x3x4xf32>, %v: tensor<3xf64>) {
  // expected-error @+1 {{element types 'f32' and 'f64' differ}}
  %y = nn.batch_norm %x, %v, %v, %v, %v : (tensor<2x3x4xf32>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @batch_norm_c2(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %y = nn.batch_norm %x, %v, %v, %v, %v {epsilon = -1.0 : f64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @batch_norm_c3(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>) {
  // expected-error @+1 {{has the result types 'tensor<2x3xf32>', but infers 'tensor<2x3x4xf32>'}}
  %y = nn.batch_norm %x, %v, %v, %v, %v : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_sums_c1(%x: tensor<2x3x4xf32>, %v: tensor<4xf32>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{normalises 3 channels by 'tensor<4xf32>'}}
  %s:2 = nn.batch_norm_sums %x, %v, %g : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<2x3x4xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_sums_c2(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>, %g: tensor<2x3x5xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<2x3x4xf32>' and 'tensor<2x3x5xf32>'}}
  %s:2 = nn.batch_norm_sums %x, %v, %g : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<2x3x5xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_sums_c3(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<3xf32>', 'tensor<4xf32>', but infers 'tensor<3xf32>', 'tensor<3xf32>'}}
  %s:2 = nn.batch_norm_sums %x, %v, %g : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c1(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<4xf32>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{normalises 3 channels by 'tensor<4xf32>'}}
  %d = nn.batch_norm_grad %x, %v, %v, %v, %g, %v, %w
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @batch_norm_grad_c2(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>, %g: tensor<2x3x5xf32>) {
  // expected-error @+1 {{needs tensors of one type, but has 'tensor<2x3x4xf32>' and 'tensor<2x3x5xf32>'}}
  %d = nn.batch_norm_grad %x, %v, %v, %v, %g, %v, %w
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x5xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @batch_norm_grad_c3(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute whose value is finite and at least 0}}
  %d = nn.batch_norm_grad %x, %v, %v, %v, %g, %v, %w {epsilon = -1.0 : f64}
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @batch_norm_grad_c4(%x: tensor<2x3x4xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>, %g: tensor<2x3x4xf32>) {
  // expected-error @+1 {{has the result types 'tensor<2x3xf32>', but infers 'tensor<2x3x4xf32>'}}
  %d = nn.batch_norm_grad %x, %v, %v, %v, %g, %v, %w
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}
