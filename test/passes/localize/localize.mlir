// RUN: sbp-opt %s --split-input-file --sbp-localize | FileCheck %s
// RUN: sbp-opt %s --split-input-file --sbp-localize | sbp-opt --split-input-file --sbp-localize --verify-roundtrip -o /dev/null

sbp.machine @cluster [
  #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
  #sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]

// Ranks share a program if every extent divides evenly. Parameters, and arguments and
// results of entries, have the type of the whole tensor.
// CHECK: rank.program @all on @cluster ranks [0, 1, 2, 3]
// CHECK: nn.parameter @w : tensor<32x16xf32> = #nn.normal<{{.*}}> {rank.whole = tensor<64x16xf32, #B_S0_cluster>}
nn.parameter @w : tensor<64x16xf32, #sbp.nd<@cluster, [B, S(0)]>> = #nn.normal<0.02>

// CHECK-LABEL: func.func @a_contraction_over_gpus
// CHECK-SAME: %[[X:.*]]: tensor<4x32xf32> {nn.input = "x", rank.whole = tensor<8x64xf32, #sbp.nd<@cluster, [S(0), S(1)]>>}
// CHECK-SAME: -> (tensor<4x16xf32> {nn.output = "y", rank.whole = tensor<8x16xf32, #S0_B_cluster>})
// CHECK: %[[W:.*]] = nn.get @w : tensor<32x16xf32>
// CHECK: %[[Y:.*]] = nn.einsum "bi,ij->bj" %[[X]], %[[W]] : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
// CHECK: %[[Z:.*]] = rank.all_reduce sum %[[Y]] over ["gpu"] : tensor<4x16xf32>
// CHECK: return %[[Z]]
func.func @a_contraction_over_gpus(%x: tensor<8x64xf32, #sbp.nd<@cluster, [S(0), S(1)]>> {nn.input = "x"})
    -> (tensor<8x16xf32, #sbp.nd<@cluster, [S(0), B]>> {nn.output = "y"}) {
  %w = nn.get @w : tensor<64x16xf32, #sbp.nd<@cluster, [B, S(0)]>>
  %y = nn.einsum "bi,ij->bj" %x, %w
     : (tensor<8x64xf32, #sbp.nd<@cluster, [S(0), S(1)]>>, tensor<64x16xf32, #sbp.nd<@cluster, [B, S(0)]>>)
     -> tensor<8x16xf32, #sbp.nd<@cluster, [S(0), P(sum)]>>
  %z = sbp.box %y : tensor<8x16xf32, #sbp.nd<@cluster, [S(0), P(sum)]>> to tensor<8x16xf32, #sbp.nd<@cluster, [S(0), B]>>
  return %z : tensor<8x16xf32, #sbp.nd<@cluster, [S(0), B]>>
}

// CHECK-LABEL: func.func private @layers_stay_functions
// CHECK-SAME: (%{{[^:]*}}: tensor<4xf32>) -> tensor<4xf32>
func.func private @layers_stay_functions(%x: tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>>)
    -> tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>> {
  %y = nn.relu %x : tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>>
  return %y : tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>>
}

// CHECK-LABEL: func.func @calls_pass_parts
// CHECK: call @layers_stay_functions(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
func.func @calls_pass_parts(%x: tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>> {nn.input = "x"})
    -> tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>> {
  %y = func.call @layers_stay_functions(%x) : (tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>>) -> tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>>
  return %y : tensor<8xf32, #sbp.nd<@cluster, [S(0), B]>>
}

// CHECK-LABEL: func.func @parts_that_begin_somewhere_ask_where
// CHECK: %[[BEGIN:.*]] = rank.offset 8 over ["node", "gpu"] : tensor<i64>
// CHECK: nn.iota from %[[BEGIN]] dim 0 : (tensor<i64>) -> tensor<2xi32>
func.func @parts_that_begin_somewhere_ask_where() -> tensor<8xi32, #sbp.nd<@cluster, [S(0), S(0)]>> {
  %i = nn.iota dim 0 : () -> tensor<8xi32, #sbp.nd<@cluster, [S(0), S(0)]>>
  return %i : tensor<8xi32, #sbp.nd<@cluster, [S(0), S(0)]>>
}

// CHECK-LABEL: func.func @setting_a_parameter
// CHECK: nn.set @w, %{{.*}} : tensor<32x16xf32>
func.func @setting_a_parameter(%x: tensor<64x16xf32, #sbp.nd<@cluster, [B, S(0)]>> {nn.input = "x"}) {
  nn.set @w, %x : tensor<64x16xf32, #sbp.nd<@cluster, [B, S(0)]>>
  return
}

// -----

sbp.machine @line [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]

// The parts of 10 have extents 2, 3, 2, 3.
// CHECK: rank.program @ranks_like_0 on @line ranks [0, 2]
// CHECK: func.func @uneven_parts_make_programs(%{{[^:]*}}: tensor<2xf32>
// CHECK: rank.all_gather %{{.*}} dim 0 over ["rank"] : tensor<2xf32> -> tensor<10xf32>
// CHECK: rank.program @ranks_like_1 on @line ranks [1, 3]
// CHECK: rank.all_gather %{{.*}} dim 0 over ["rank"] : tensor<3xf32> -> tensor<10xf32>
func.func @uneven_parts_make_programs(%x: tensor<10xf32, #sbp.nd<@line, [S(0)]>>) -> tensor<10xf32, #sbp.nd<@line, [B]>> {
  %y = sbp.box %x : tensor<10xf32, #sbp.nd<@line, [S(0)]>> to tensor<10xf32, #sbp.nd<@line, [B]>>
  return %y : tensor<10xf32, #sbp.nd<@line, [B]>>
}

// -----

sbp.machine @line [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-9>]

// The all-reduce consists of other collectives here; one between them splits 6 unevenly.
// CHECK: rank.program @ranks_like_0
// CHECK: func.func @each_step_has_an_op
// CHECK: rank.reduce_scatter sum %{{.*}} dim 0 over ["rank"]
// CHECK: rank.all_to_all %{{.*}} gather 0 split 1 over ["rank"]
// CHECK: rank.pad sum %{{.*}} dim 1 over ["rank"]
// CHECK: rank.slice %{{.*}} dim 0 over ["rank"]
// CHECK: rank.to_partial max %{{.*}} over ["rank"]
func.func @each_step_has_an_op(%x: tensor<6x8xf32, #sbp.nd<@line, [P(sum)]>>, %y: tensor<6x8xf32, #sbp.nd<@line, [B]>>)
    -> (tensor<6x8xf32, #sbp.nd<@line, [P(sum)]>>, tensor<6x8xf32, #sbp.nd<@line, [S(0)]>>, tensor<6x8xf32, #sbp.nd<@line, [P(max)]>>) {
  %0 = sbp.box %x : tensor<6x8xf32, #sbp.nd<@line, [P(sum)]>> to tensor<6x8xf32, #sbp.nd<@line, [S(0)]>>
  %1 = sbp.box %0 : tensor<6x8xf32, #sbp.nd<@line, [S(0)]>> to tensor<6x8xf32, #sbp.nd<@line, [S(1)]>>
  %2 = sbp.box %1 : tensor<6x8xf32, #sbp.nd<@line, [S(1)]>> to tensor<6x8xf32, #sbp.nd<@line, [P(sum)]>>
  %3 = sbp.box %y : tensor<6x8xf32, #sbp.nd<@line, [B]>> to tensor<6x8xf32, #sbp.nd<@line, [S(0)]>>
  %4 = sbp.box %y : tensor<6x8xf32, #sbp.nd<@line, [B]>> to tensor<6x8xf32, #sbp.nd<@line, [P(max)]>>
  return %2, %3, %4 : tensor<6x8xf32, #sbp.nd<@line, [P(sum)]>>, tensor<6x8xf32, #sbp.nd<@line, [S(0)]>>, tensor<6x8xf32, #sbp.nd<@line, [P(max)]>>
}
