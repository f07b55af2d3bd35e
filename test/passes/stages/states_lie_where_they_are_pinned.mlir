// RUN: sbp-opt %s --sbp-to-placed 2>/dev/null | FileCheck %s --check-prefix=FRONT
// RUN: sed 's/state_pin = #sbp.nd<@front/state_pin = #sbp.nd<@host/' %s | sbp-opt --sbp-to-placed 2>/dev/null | FileCheck %s --check-prefix=HOST
// RUN: sed 's/state_pin = #sbp.nd<@front/state_pin = #sbp.nd<@other/' %s | not sbp-opt --sbp-to-placed 2>&1 | FileCheck %s --check-prefix=OTHER

// The optimiser's state lies on the group of its parameter's stage, or on all ranks, as it is
// pinned.

// FRONT: nn.parameter @w.velocity : tensor<4xf32, #S0_front>
//  HOST: nn.parameter @w.velocity : tensor<4xf32, #S0_host>
// OTHER: error: 'nn.parameter' op is pinned on @other, but its stage is placed on @front
sbp.machine @host [#sbp.level<"cpu" x 4, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @front of @host ranks [0, 1] [#sbp.axis<"cpu" x 2 in "cpu">]
sbp.mesh @back of @host ranks [2, 3] [#sbp.axis<"cpu" x 2 in "cpu">]
sbp.stages [@front, @back]
nn.parameter @w : tensor<4xf32> = #nn.zeros {sbp.state_pin = #sbp.nd<@front, [S(0)]>}
func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %w = nn.get @w : tensor<4xf32>
  %y = nn.mul %x, %w {sbp.stage = 0} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = nn.mse %y, %x {sbp.stage = 1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
