// RUN: sbp-opt %s --split-input-file --sbp-localize --verify-diagnostics

sbp.machine @line [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]

func.func @parts_must_be_equal_where_dimensions_merge(%x: tensor<6x8xf32, #sbp.nd<@line, [S(0)]>>) -> tensor<48xf32, #sbp.nd<@line, [S(0)]>> {
  // expected-error @+1 {{'nn.reshape' op splits an extent of 6 over 4 devices, but must split it into equal parts}}
  %y = nn.reshape %x : tensor<6x8xf32, #sbp.nd<@line, [S(0)]>> -> tensor<48xf32, #sbp.nd<@line, [S(0)]>>
  return %y : tensor<48xf32, #sbp.nd<@line, [S(0)]>>
}

// -----

sbp.machine @line [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]

func.func @ops_say_how_they_work_on_parts(%x: tensor<8xf32, #sbp.nd<@line, [S(0)]>>) -> tensor<8xf32, #sbp.nd<@line, [B]>> {
  // expected-error @+1 {{'sbp.cast' op does not say how it works on parts of tensors: it does not implement DistributedOpInterface}}
  %y = sbp.cast %x : tensor<8xf32, #sbp.nd<@line, [S(0)]>> to tensor<8xf32, #sbp.nd<@line, [B]>>
  return %y : tensor<8xf32, #sbp.nd<@line, [B]>>
}

// -----

// expected-error @+1 {{'func.func' op has the type 'tensor<8xf32>', which carries no placement}}
func.func @all_tensors_are_placed(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

sbp.machine @line [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.machine @other [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]

nn.parameter @w : tensor<8xf32, #sbp.nd<@line, [B]>> = #nn.zeros
// expected-error @+1 {{'nn.parameter' op is placed on @other of @other, other ops on @line of @line}}
nn.parameter @v : tensor<8xf32, #sbp.nd<@other, [B]>> = #nn.zeros

// -----

sbp.machine @line [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]

// expected-error @+1 {{'nn.parameter' op has a placement of 2 components, but @line has 1 axes}}
nn.parameter @w : tensor<8xf32, #sbp.nd<@line, [B, B]>> = #nn.zeros
