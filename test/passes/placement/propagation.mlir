// RUN: sbp-opt %s --sbp-place=place-by=propagation --sbp-verify-placed | FileCheck %s

// Pins are kept; other placements follow from them.

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]

// CHECK: nn.parameter @columns : tensor<8x16xf32, #S1_m>
nn.parameter @columns : tensor<8x16xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [S(1)]>}
nn.parameter @rows : tensor<16x8xf32> = #nn.normal<0.02> {sbp.pin = #sbp.nd<@m, [S(0)]>}
// CHECK: nn.parameter @bias : tensor<8xf32, #B_m>
nn.parameter @bias : tensor<8xf32> = #nn.zeros

// CHECK-LABEL: func @column_then_row_split_needs_no_boxing_between
//       CHECK:   nn.einsum "bi,ij->bj"
//  CHECK-SAME:     -> tensor<4x16xf32, #S1_m>
//   CHECK-NOT:   sbp.cast
//       CHECK:   nn.einsum "bj,jk->bk"
//  CHECK-SAME:     -> tensor<4x8xf32, #Psum_m>
func.func @column_then_row_split_needs_no_boxing_between(%x: tensor<4x8xf32> {nn.input = "x"}) -> tensor<4x8xf32> {
  %columns = nn.get @columns : tensor<8x16xf32>
  %rows = nn.get @rows : tensor<16x8xf32>
  %h = nn.einsum "bi,ij->bj" %x, %columns : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %a = nn.relu %h : tensor<4x16xf32>
  %y = nn.einsum "bj,jk->bk" %a, %rows : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A bias is added to the partial sums on one device, which costs nothing.
//
// CHECK-LABEL: func @bias_is_added_to_a_partial_sum_as_a_partial_term
//       CHECK:   %[[BIAS:.*]] = sbp.cast {{.*}} to tensor<8xf32, #Psum_m>
//       CHECK:   nn.add {{.*}}, %[[BIAS]] {{.*}} -> tensor<4x8xf32, #Psum_m>
func.func @bias_is_added_to_a_partial_sum_as_a_partial_term(%a: tensor<4x16xf32> {nn.input = "a", sbp.pin = #sbp.nd<@m, [S(1)]>}) -> tensor<4x8xf32> {
  %rows = nn.get @rows : tensor<16x8xf32>
  %bias = nn.get @bias : tensor<8xf32>
  %y = nn.einsum "bj,jk->bk" %a, %rows : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %z = nn.add %y, %bias : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// CHECK-LABEL: func @a_nonlinear_op_forces_the_sum
//       CHECK:   %[[SUM:.*]] = sbp.cast {{.*}}#Psum_{{[a-z0-9]+}}> to
//       CHECK:   nn.relu %[[SUM]]
func.func @a_nonlinear_op_forces_the_sum(%a: tensor<4x16xf32> {nn.input = "a", sbp.pin = #sbp.nd<@m, [S(1)]>}) -> tensor<4x8xf32> {
  %rows = nn.get @rows : tensor<16x8xf32>
  %y = nn.einsum "bj,jk->bk" %a, %rows : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %z = nn.relu %y : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// A pin to Partial determines the signature of its op: it splits the contracted loop.
//
// CHECK-LABEL: func @a_pin_in_the_middle_is_kept
//       CHECK:   %[[TERMS:.*]] = nn.einsum {{.*}}#S1_{{[a-z0-9]+}}>, {{.*}}#S0_{{[a-z0-9]+}}>) -> tensor<4x16xf32, #Psum_m>
//       CHECK:   %[[PINNED:.*]] = sbp.cast pinned %[[TERMS]]
//   CHECK-NOT:   sbp.pin
//       CHECK:   return %[[PINNED]]
func.func @a_pin_in_the_middle_is_kept(%x: tensor<4x8xf32> {nn.input = "x"}, %w: tensor<8x16xf32> {nn.input = "w"}) -> tensor<4x16xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %p = sbp.pin %h : tensor<4x16xf32> to #sbp.nd<@m, [P(sum)]>
  return %p : tensor<4x16xf32>
}

// A pin to another placement of a sum moves the sum; the operands keep theirs.
//
// CHECK-LABEL: func @a_row_split_is_kept_before_a_pinned_sum
//       CHECK:   %[[TERMS:.*]] = nn.einsum {{.*}}#S1_{{[a-z0-9]+}}>, {{.*}}#S0_{{[a-z0-9]+}}>) -> tensor<4x8xf32, #Psum_m>
//       CHECK:   sbp.cast pinned %[[TERMS]] {{.*}}#Psum_{{[a-z0-9]+}}> to {{.*}}#B_{{[a-z0-9]+}}>
func.func @a_row_split_is_kept_before_a_pinned_sum(%a: tensor<4x16xf32> {nn.input = "a", sbp.pin = #sbp.nd<@m, [S(1)]>}) -> tensor<4x8xf32> {
  %rows = nn.get @rows : tensor<16x8xf32>
  %y = nn.einsum "bj,jk->bk" %a, %rows : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %sum = sbp.pin %y : tensor<4x8xf32> to #sbp.nd<@m, [B]>
  return %sum : tensor<4x8xf32>
}

// A layer is placed once, by the placements of the arguments of its first call.
//
//       CHECK: func private @layer(%{{.*}}: tensor<4x8xf32, #B_m>
func.func private @layer(%x: tensor<4x8xf32>, %columns: tensor<8x16xf32>, %rows: tensor<16x8xf32>) -> tensor<4x8xf32> {
  %h = nn.einsum "bi,ij->bj" %x, %columns : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %y = nn.einsum "bj,jk->bk" %h, %rows : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func @a_later_call_casts_its_arguments
//       CHECK:   %[[FIRST:.*]] = call @layer
//       CHECK:   %[[CAST:.*]] = sbp.cast %[[FIRST]] {{.*}}#Psum_{{[a-z0-9]+}}> to {{.*}}#B_{{[a-z0-9]+}}>
//       CHECK:   call @layer(%[[CAST]]
func.func @a_later_call_casts_its_arguments(%x: tensor<4x8xf32> {nn.input = "x"}) -> tensor<4x8xf32> {
  %columns = nn.get @columns : tensor<8x16xf32>
  %rows = nn.get @rows : tensor<16x8xf32>
  %y = call @layer(%x, %columns, %rows) : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %z = call @layer(%y, %columns, %rows) : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}

// A repeated function gets its results back with the same placements, even if a call is first.
//
//       CHECK: func private @add_product({{.*}}, %{{[^:]*}}: tensor<4x8xf32, #S0_m>) -> tensor<4x8xf32, #S0_m>
func.func private @add_product(%a: tensor<4x16xf32>, %rows: tensor<16x8xf32>, %sum: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = nn.einsum "bj,jk->bk" %a, %rows : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %more = nn.add %sum, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %more : tensor<4x8xf32>
}

// CHECK-LABEL: func @called_and_repeated
//       CHECK:   nn.repeat 3 @add_product({{.*}}) : {{.*}} -> tensor<4x8xf32, #S0_m>
func.func @called_and_repeated(%a: tensor<4x16xf32> {nn.input = "a", sbp.pin = #sbp.nd<@m, [S(1)]>}) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %rows = nn.get @rows : tensor<16x8xf32>
  %zero = nn.constant dense<0.0> : tensor<4x8xf32>
  %once = call @add_product(%a, %rows, %zero) : (tensor<4x16xf32>, tensor<16x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %thrice = nn.repeat 3 @add_product(%a, %rows) : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %once, %thrice : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-NOT: @nobody_calls_this
func.func private @nobody_calls_this(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
