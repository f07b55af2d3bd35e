// RUN: sed 's/KEPT/all/' %s | sbp-opt --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefix=ALL
// RUN: sed 's/KEPT/inputs/' %s > %t.inputs
// RUN: sbp-opt %t.inputs --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefix=INPUTS
// RUN: sed 's/KEPT/products/' %s > %t.products
// RUN: sbp-opt %t.products --sbp-differentiate --verify-roundtrip | FileCheck %s --check-prefix=PRODUCTS

nn.parameter @a : tensor<64x64xf32> = #nn.normal<0.02>
nn.parameter @b : tensor<64x64xf32> = #nn.normal<0.02>

// The backward pass uses %h and %s. With `inputs`, the forward function returns neither, and
// another function computes both again from the arguments. It does not compute the last
// product again, since only the caller needs %y.

//      INPUTS: func.func private @layer(
//  INPUTS-NOT:   sbp.keep
//      INPUTS: func.func private @layer.forward(
// INPUTS-SAME:   -> tensor<32x64xf32> {
//      INPUTS:   %[[H:.*]] = nn.einsum {{.*}} {nn.id = [[$FIRST:[0-9]+]] : i64}
//      INPUTS:   %[[S:.*]] = nn.silu %[[H]] {nn.id = [[$SILU:[0-9]+]] : i64}
//      INPUTS:   %[[Y:.*]] = nn.einsum
//      INPUTS:   return %[[Y]]
//      INPUTS: func.func private @layer.recompute(
// INPUTS-SAME:   %[[X:[^:]*]]: tensor<32x64xf32>, %[[V:[^:]*]]: tensor<64x64xf32>)
// INPUTS-SAME:   -> (tensor<32x64xf32>, tensor<32x64xf32>) attributes {nn.recomputes} {
// INPUTS-NEXT:   %[[H:.*]] = nn.einsum "bi,ij->bj" %[[X]], %[[V]] {nn.id = [[$FIRST]] : i64}
// INPUTS-NEXT:   %[[S:.*]] = nn.silu %[[H]] {nn.id = [[$SILU]] : i64}
// INPUTS-NEXT:   return %[[S]], %[[H]]
//      INPUTS: func.func private @layer.backward(
//      INPUTS: func.func @train_step(
//      INPUTS:   %[[X:.*]] = nn.embedding
//      INPUTS:   %[[Y1:.*]] = call @layer.forward(%[[X]], {{.*}}) {nn.id = [[CALL1:[0-9]+]] : i64}
//      INPUTS:   %[[Y2:.*]] = call @layer.forward(%[[Y1]], {{.*}}) {nn.id = [[CALL2:[0-9]+]] : i64}
//      INPUTS:   %[[R2:.*]]:2 = call @layer.recompute(%[[Y1]], %{{.*}}) {nn.id = [[CALL2]] : i64}
// INPUTS-NEXT:   call @layer.backward({{.*}}%[[R2]]#0{{.*}}) {nn.adjoint_of = [[CALL2]] : i64}
//      INPUTS:   %[[R1:.*]]:2 = call @layer.recompute(%[[X]], %{{.*}}) {nn.id = [[CALL1]] : i64}
// INPUTS-NEXT:   call @layer.backward({{.*}}%[[R1]]#0{{.*}}) {nn.adjoint_of = [[CALL1]] : i64}

// With `products`, the product %h is kept, and the element-wise op is computed again.

//      PRODUCTS: func.func private @layer.forward(
// PRODUCTS-SAME:   -> (tensor<32x64xf32>, tensor<32x64xf32>) {
//      PRODUCTS:   %[[H:.*]] = nn.einsum
//      PRODUCTS:   %[[Y:.*]] = nn.einsum
//      PRODUCTS:   return %[[Y]], %[[H]]
//      PRODUCTS: func.func private @layer.recompute(
// PRODUCTS-SAME:   %[[H:[^:]*]]: tensor<32x64xf32>) -> tensor<32x64xf32> attributes {nn.recomputes} {
// PRODUCTS-NEXT:   %[[S:.*]] = nn.silu %[[H]]
// PRODUCTS-NEXT:   return %[[S]]
//      PRODUCTS: func.func @train_step(
//      PRODUCTS:   %[[Y1:.*]]:2 = call @layer.forward(
//      PRODUCTS:   %[[Y2:.*]]:2 = call @layer.forward(%[[Y1]]#0,
//      PRODUCTS:   %[[R2:.*]] = call @layer.recompute(%[[Y2]]#1)
// PRODUCTS-NEXT:   call @layer.backward({{.*}}%[[R2]]{{.*}}%[[Y2]]#1

//     ALL: func.func private @layer.forward(
// ALL-NOT: recompute

func.func private @layer(%x: tensor<32x64xf32>, %v: tensor<64x64xf32>, %w: tensor<64x64xf32>)
    -> tensor<32x64xf32> attributes {sbp.keep = #sbp.keep<KEPT>} {
  %h = nn.einsum "bi,ij->bj" %x, %v
     : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %s = nn.silu %h : tensor<32x64xf32>
  %y = nn.einsum "bi,ij->bj" %s, %w
     : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

func.func @loss(%i: tensor<32xi32> {nn.input = "i"}, %t: tensor<32x64xf32> {nn.input = "t"})
    -> tensor<f32> attributes {nn.optimizer = #nn.sgd} {
  %a = nn.get @a : tensor<64x64xf32>
  %b = nn.get @b : tensor<64x64xf32>
  %x = nn.embedding %a, %i
     : (tensor<64x64xf32>, tensor<32xi32>) -> tensor<32x64xf32>
  %h = call @layer(%x, %a, %b)
     : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %y = call @layer(%h, %b, %a)
     : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %loss = nn.mse %y, %t : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
