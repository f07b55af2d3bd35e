// RUN: sed 's/OUTER/all/; s/INNER/inputs/' %s | sbp-opt --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefix=INNER
// RUN: sed 's/OUTER/inputs/; s/INNER/all/' %s | sbp-opt --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefix=OUTER
// RUN: sed 's/OUTER/inputs/; s/INNER/inputs/' %s | sbp-opt --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefix=BOTH
// RUN: sed 's/OUTER/products/; s/INNER/products/' %s | sbp-opt --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefix=PRODUCTS

nn.parameter @w : tensor<64x64xf32> = #nn.normal<0.02>

// A layer that keeps all calls a layer that keeps its inputs: the backward function of the
// outer layer computes the values of the inner one again.

//      INNER: func.func private @outer.forward(
//      INNER:   %[[Y1:.*]] = call @inner.forward(%{{.*}}) {nn.id = [[$ID1:[0-9]+]] : i64}
//      INNER:   %[[Y2:.*]] = call @inner.forward(%[[Y1]], {{.*}}) {nn.id = [[$ID2:[0-9]+]] : i64}
//      INNER:   return %[[Y2]], %[[Y1]]
//  INNER-NOT: @outer.recompute
//      INNER: func.func private @outer.backward(
//      INNER:   %[[H2:.*]]:2 = call @inner.recompute({{.*}}) {nn.id = [[$ID2]] : i64}
// INNER-NEXT:   call @inner.backward({{.*}}%[[H2]]#0, {{.*}}) {nn.adjoint_of = [[$ID2]] : i64}
//      INNER:   %[[H1:.*]]:2 = call @inner.recompute({{.*}}) {nn.id = [[$ID1]] : i64}
// INNER-NEXT:   call @inner.backward({{.*}}%[[H1]]#0, {{.*}}) {nn.adjoint_of = [[$ID1]] : i64}

// A layer that keeps its inputs computes again what the inner one has kept.

//      OUTER: func.func private @outer.forward(
// OUTER-SAME:   -> tensor<64x64xf32> {
//      OUTER: func.func private @outer.recompute(
//      OUTER:   %[[Y1:.*]]:3 = call @inner.forward(
//      OUTER:   %[[Y2:.*]]:3 = call @inner.forward(
//      OUTER:   return {{.*}}%[[Y2]]#1
//      OUTER: func.func private @outer.backward(
//  OUTER-NOT:   inner.recompute

// If both keep their inputs, the inner layer runs three times: the outer layer computes its
// arguments again, and then the inner one its values. The last call in @outer.forward has
// no user in @outer.recompute.

//      BOTH: func.func private @outer.recompute(
//      BOTH:   %[[Y1:.*]] = call @inner.forward(
//  BOTH-NOT:   call
//      BOTH:   return %[[Y1]]
//      BOTH: func.func private @outer.backward(
//      BOTH:   call @inner.recompute(
// BOTH-NEXT:   call @inner.backward(
//      BOTH:   call @inner.recompute(
// BOTH-NEXT:   call @inner.backward(

// A layer that keeps products keeps the results of its calls.

//     PRODUCTS: func.func private @inner.recompute(
//     PRODUCTS: func.func private @outer.forward(
//     PRODUCTS:   %[[Y1:.*]]:2 = call @inner.forward(
//     PRODUCTS:   %[[Y2:.*]]:2 = call @inner.forward(
//     PRODUCTS:   return %[[Y2]]#0, %[[Y1]]#0, %[[Y1]]#1, %[[Y2]]#1
// PRODUCTS-NOT: @outer.recompute
//     PRODUCTS: func.func private @outer.backward(
//     PRODUCTS:   call @inner.recompute(

func.func private @inner(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {sbp.keep = #sbp.keep<INNER>} {
  %h = nn.einsum "bi,ij->bj" %x, %w
     : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = nn.silu %h : tensor<64x64xf32>
  %y = nn.einsum "bi,ij->bj" %s, %w
     : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func private @outer(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32>
    attributes {sbp.keep = #sbp.keep<OUTER>} {
  %h = call @inner(%x, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = call @inner(%h, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @loss(%x: tensor<64x64xf32> {nn.input = "x"}, %t: tensor<64x64xf32> {nn.input = "t"})
    -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<64x64xf32>
  %h = nn.einsum "bi,ij->bj" %x, %w
     : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = call @outer(%h, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %loss = nn.mse %y, %t : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
