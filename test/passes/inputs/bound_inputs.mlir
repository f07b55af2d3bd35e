// RUN: sbp-opt %s --sbp-bound-inputs | FileCheck %s
// RUN: sbp-opt %s --sbp-to-placed="mesh=host" | FileCheck %s --check-prefix=PLACED
// A bound that is already there is not replaced by another one.
// RUN: sbp-opt %s --sbp-bound-inputs | sbp-opt --sbp-bound-inputs | FileCheck %s

!table = tensor<65x16xf32>
!tokens = tensor<2x8xi32>
!rows = tensor<2x8x16xf32>

sbp.machine @host [#sbp.level<"rank" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
nn.parameter @table : !table = #nn.normal<0.02>

// CHECK-LABEL: @an_embedding_has_rows
// CHECK-SAME: {nn.below = 65 : i64, nn.input = "tokens"}
// PLACED-LABEL: @an_embedding_has_rows
// PLACED-SAME: {nn.below = 65 : i64, nn.input = "tokens"}
func.func @an_embedding_has_rows(%tokens: !tokens {nn.input = "tokens"}) -> !rows {
  %table = nn.get @table : !table
  %rows = nn.embedding %table, %tokens : (!table, !tokens) -> !rows
  return %rows : !rows
}

// CHECK-LABEL: @a_loss_has_classes
// CHECK-SAME: %{{.*}}: tensor<4x10xf32>, %{{.*}}: tensor<4xi64> {nn.below = 10 : i64}
func.func @a_loss_has_classes(%logits: tensor<4x10xf32>, %labels: tensor<4xi64>) -> tensor<f32> {
  %loss = nn.cross_entropy %logits, %labels : (tensor<4x10xf32>, tensor<4xi64>) -> tensor<f32>
  return %loss : tensor<f32>
}

// CHECK-LABEL: @the_least_bound_holds
// CHECK-SAME: tensor<4xi32> {nn.below = 5 : i64}, %{{.*}}: tensor<4xi32> {nn.below = 3 : i64}
func.func @the_least_bound_holds(%i: tensor<4xi32>, %j: tensor<4xi32> {nn.below = 3 : i64},
    %ten: tensor<10x2xf32>, %five: tensor<5x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %a = nn.embedding %ten, %i : (tensor<10x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %b = nn.embedding %five, %i : (tensor<5x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %c = nn.embedding %ten, %j : (tensor<10x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  return %a, %b, %c : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// Elements that are only rearranged keep their bound.

func.func private @halves(%x: tensor<16xi64>) -> (tensor<8xi64>, tensor<16xi64>) {
  %first = nn.slice %x [0] [8] : tensor<16xi64> -> tensor<8xi64>
  return %first, %x : tensor<8xi64>, tensor<16xi64>
}

// CHECK-LABEL: @rearranged
// CHECK-SAME: {nn.below = 65 : i64}
func.func @rearranged(%tokens: !tokens) -> tensor<19x16xf32> {
  %table = nn.get @table : !table
  %transposed = nn.transpose %tokens [1, 0] : !tokens -> tensor<8x2xi32>
  %flat = nn.reshape %transposed : tensor<8x2xi32> -> tensor<16xi32>
  %wide = nn.cast %flat : tensor<16xi32> -> tensor<16xi64>
  %halves:2 = call @halves(%wide) : (tensor<16xi64>) -> (tensor<8xi64>, tensor<16xi64>)
  %padded = nn.pad %halves#1 [1] [1] : tensor<16xi64> -> tensor<18xi64>
  %zero = nn.constant dense<0> : tensor<1xi64>
  %all = nn.concat %padded, %zero dim 0 : (tensor<18xi64>, tensor<1xi64>) -> tensor<19xi64>
  %rows = nn.embedding %table, %all : (!table, tensor<19xi64>) -> tensor<19x16xf32>
  return %rows : tensor<19x16xf32>
}

// A layer is analysed once for all its calls; its arguments have the bounds of all calls.

func.func private @look_up(%unused: !tokens, %tokens: !tokens) -> !rows {
  %table = nn.get @table : !table
  %rows = nn.embedding %table, %tokens : (!table, !tokens) -> !rows
  return %rows : !rows
}

// CHECK-LABEL: @by_a_layer
// CHECK-SAME: tensor<2x8xi32> {nn.below = 65 : i64}, %{{.*}}: tensor<2x8xi32> {nn.below = 65 : i64}, %{{.*}}: tensor<2x8xi32>)
func.func @by_a_layer(%a: !tokens, %b: !tokens, %c: !tokens) -> (!rows, !rows) {
  %x = call @look_up(%c, %a) : (!tokens, !tokens) -> !rows
  %y = call @look_up(%c, %b) : (!tokens, !tokens) -> !rows
  return %x, %y : !rows, !rows
}

// Tokens and next tokens, from one window.

// CHECK-LABEL: @slices_that_take_all
// CHECK-SAME: %{{.*}}: tensor<9xi32> {nn.below = 65 : i64},
func.func @slices_that_take_all(%window: tensor<9xi32>, %logits: tensor<8x65xf32>)
    -> (tensor<8x16xf32>, tensor<f32>) {
  %table = nn.get @table : !table
  %tokens = nn.slice %window [0] [8] : tensor<9xi32> -> tensor<8xi32>
  %targets = nn.slice %window [1] [8] : tensor<9xi32> -> tensor<8xi32>
  %rows = nn.embedding %table, %tokens : (!table, tensor<8xi32>) -> tensor<8x16xf32>
  %loss = nn.cross_entropy %logits, %targets : (tensor<8x65xf32>, tensor<8xi32>) -> tensor<f32>
  return %rows, %loss : tensor<8x16xf32>, tensor<f32>
}

// The bound of one column does not apply to the others: 64 may be a token here,
// although it is no class.

// CHECK-LABEL: @a_column_of_labels_beside_tokens
// CHECK-SAME: %{{.*}}: tensor<4x8xi32> {nn.below = 65 : i64},
func.func @a_column_of_labels_beside_tokens(%x: tensor<4x8xi32>, %logits: tensor<4x1x10xf32>)
    -> (tensor<4x7x16xf32>, tensor<f32>) {
  %table = nn.get @table : !table
  %labels = nn.slice %x [0, 7] [4, 1] : tensor<4x8xi32> -> tensor<4x1xi32>
  %tokens = nn.slice %x [0, 0] [4, 7] : tensor<4x8xi32> -> tensor<4x7xi32>
  %rows = nn.embedding %table, %tokens : (!table, tensor<4x7xi32>) -> tensor<4x7x16xf32>
  %loss = nn.cross_entropy %logits, %labels : (tensor<4x1x10xf32>, tensor<4x1xi32>) -> tensor<f32>
  return %rows, %loss : tensor<4x7x16xf32>, tensor<f32>
}

// CHECK-LABEL: @a_column_that_nothing_takes
// CHECK-NOT: nn.below
// CHECK-LABEL: @ignored_labels_are_masked
// CHECK-NOT: nn.below
// CHECK-LABEL: @arithmetic
// CHECK-NOT: nn.below
// CHECK-LABEL: @numbers
// CHECK-NOT: nn.below
func.func @a_column_that_nothing_takes(%x: tensor<4x8xi32>) -> tensor<4x7x16xf32> {
  %table = nn.get @table : !table
  %tokens = nn.slice %x [0, 1] [4, 7] : tensor<4x8xi32> -> tensor<4x7xi32>
  %rows = nn.embedding %table, %tokens : (!table, tensor<4x7xi32>) -> tensor<4x7x16xf32>
  return %rows : tensor<4x7x16xf32>
}

func.func @ignored_labels_are_masked(%labels: tensor<4xi32>, %logits: tensor<4x10xf32>) -> tensor<f32> {
  %zero = nn.constant dense<0> : tensor<i32>
  %isLabel = nn.compare ge %labels, %zero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi1>
  %safe = nn.select %isLabel, %labels, %zero : (tensor<4xi1>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %loss = nn.cross_entropy %logits, %safe : (tensor<4x10xf32>, tensor<4xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}

func.func @arithmetic(%x: tensor<4xi32>, %table: tensor<5x2xf32>) -> tensor<4x2xf32> {
  %one = nn.constant dense<1> : tensor<i32>
  %next = nn.sub %x, %one : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %rows = nn.embedding %table, %next : (tensor<5x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  return %rows : tensor<4x2xf32>
}

func.func @numbers(%x: tensor<4xf32>, %y: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  return %x, %y : tensor<4xf32>, tensor<4xi32>
}

// A bound on a part taken by an index applies to all parts; the index has its own bound.

// CHECK-LABEL: @parts_are_asked_together
// CHECK-SAME: tensor<i64> {nn.below = 4 : i64}, %{{.*}}: tensor<2x4xi32> {nn.below = 65 : i64}
func.func @parts_are_asked_together(%k: tensor<i64>, %tokens: tensor<2x4xi32>) -> tensor<2x16xf32> {
  %table = nn.get @table : !table
  %some = nn.part %k of %tokens dim 1 : (tensor<i64>, tensor<2x4xi32>) -> tensor<2xi32>
  %rows = nn.embedding %table, %some : (!table, tensor<2xi32>) -> tensor<2x16xf32>
  return %rows : tensor<2x16xf32>
}
