// RUN: sbp-opt %s --sbp-localize | FileCheck %s

sbp.machine @cluster [
  #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
  #sbp.level<"gpu" x 2, alpha = 5.0e-6, beta = 5.0e-12>]

// CHECK-LABEL: func.func @a_step_says_along_which_axes_its_gradient_has_copies
// CHECK: nn.sgd {{.*}} {rank.gradient_copies = ["node"], weight_decay = {{.*}}} : (tensor<4xf32>
func.func @a_step_says_along_which_axes_its_gradient_has_copies(
    %w: tensor<8xf32, #sbp.nd<@cluster, [B, S(0)]>> {nn.input = "w"},
    %g: tensor<8xf32, #sbp.nd<@cluster, [B, S(0)]>> {nn.input = "g"},
    %lr: tensor<f32, #sbp.nd<@cluster, [B, B]>> {nn.input = "lr"}) {
  %new = nn.sgd %w, %g, %lr {weight_decay = 0.0 : f64}
     : (tensor<8xf32, #sbp.nd<@cluster, [B, S(0)]>>, tensor<8xf32, #sbp.nd<@cluster, [B, S(0)]>>, tensor<f32, #sbp.nd<@cluster, [B, B]>>)
     -> tensor<8xf32, #sbp.nd<@cluster, [B, S(0)]>>
  return
}

// CHECK-LABEL: func.func @a_gradient_split_over_all_ranks_has_none
// CHECK: nn.sgd %{{[^{]*}} {weight_decay = {{.*}}} : (tensor<2xf32>
func.func @a_gradient_split_over_all_ranks_has_none(
    %w: tensor<8xf32, #sbp.nd<@cluster, [S(0), S(0)]>> {nn.input = "w"},
    %g: tensor<8xf32, #sbp.nd<@cluster, [S(0), S(0)]>> {nn.input = "g"},
    %lr: tensor<f32, #sbp.nd<@cluster, [B, B]>> {nn.input = "lr"}) {
  %new = nn.sgd %w, %g, %lr {weight_decay = 0.0 : f64}
     : (tensor<8xf32, #sbp.nd<@cluster, [S(0), S(0)]>>, tensor<8xf32, #sbp.nd<@cluster, [S(0), S(0)]>>, tensor<f32, #sbp.nd<@cluster, [B, B]>>)
     -> tensor<8xf32, #sbp.nd<@cluster, [S(0), S(0)]>>
  return
}
