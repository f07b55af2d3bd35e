// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// First placements, then machines and meshes, then pins and boxings.

// expected-error @+1 {{placement splits dimension 1 of a tensor of rank 1}}
func.func private @nd_c1(tensor<4xf32, #sbp.nd<@m, [S(1)]>>)

// -----

// expected-error @+1 {{split dimension is negative: -1}}
func.func private @nd_c1_negative(tensor<4xf32, #sbp.nd<@m, [S(-1)]>>)

// -----

// expected-error @+1 {{placement mixes P(sum) and P(max)}}
func.func private @nd_c2(tensor<4xf32, #sbp.nd<@m, [P(sum), P(max)]>>)

// -----

// expected-error @+1 {{reduction 'mean' is none of 'sum', 'max', 'min'}}
func.func private @nd_reduction(tensor<4xf32, #sbp.nd<@m, [P(mean)]>>)

// -----

// expected-error @+1 {{expected a component: S(dim), B, P(sum), P(max) or P(min)}}
func.func private @nd_component(tensor<4xf32, #sbp.nd<@m, [R]>>)

// -----

// expected-error @+1 {{level 'gpu' has count 0; it must be positive}}
sbp.machine @level_c1 [#sbp.level<"gpu" x 0, alpha = 1.0e-6, beta = 1.0e-10>]

// -----

// expected-error @+1 {{level 'gpu' has alpha -1.000000e+00 and beta 0.000000e+00; both must be from 0 to 1e30}}
sbp.machine @level_c1 [#sbp.level<"gpu" x 2, alpha = -1.0, beta = 0.0>]

// -----

// expected-error @+1 {{level 'gpu' has alpha 0.000000e+00 and beta 1.000000e+31; both must be from 0 to 1e30}}
sbp.machine @level_c1 [#sbp.level<"gpu" x 2, alpha = 0.0, beta = 1.0e31>]

// -----

// expected-error @+1 {{has no levels}}
sbp.machine @machine_c1 []

// -----

// expected-error @+1 {{has two levels named 'gpu'}}
sbp.machine @machine_c1 [
  #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{axis 'x' has size -2; it must be positive}}
sbp.mesh @axis_c1 of @m [#sbp.axis<"x" x -2 in "gpu">]

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{has two axes named 'x'}}
sbp.mesh @mesh_c1 of @m [#sbp.axis<"x" x 2 in "gpu">, #sbp.axis<"x" x 2 in "gpu">]

// -----

// expected-note @+1 {{machine defined here}}
sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{has axes of 6 devices in level 'gpu', which has 4}}
sbp.mesh @mesh_c2 of @m [#sbp.axis<"x" x 2 in "gpu">, #sbp.axis<"y" x 3 in "gpu">]

// -----

sbp.machine @m [#sbp.level<"gpu" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{has axis 'y' in level 'node', which is not the machine's next level}}
sbp.mesh @mesh_c2 of @m [#sbp.axis<"x" x 4 in "gpu">, #sbp.axis<"y" x 3 in "node">]

// -----

// expected-error @+1 {{names @nowhere, which is no sbp.machine of this module}}
sbp.mesh @mesh_c5 of @nowhere [#sbp.axis<"x" x 4 in "gpu">]

// -----

func.func @pin_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{placement splits dimension 2 of a tensor of rank 1}}
  %y = sbp.pin %x : tensor<4xf32> to #sbp.nd<@m, [S(2)]>
  return
}

// -----

func.func @pin_c2(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // expected-error @+1 {{pins a tensor that is placed already, on #sbp.nd<@m, [B]>}}
  %y = sbp.pin %x : tensor<4xf32, #sbp.nd<@m, [B]>> to #sbp.nd<@m, [S(0)]>
  return
}

// -----

func.func @box_c1_unplaced(%x: tensor<4xf32>) {
  // expected-error @+1 {{needs placed types, but has 'tensor<4xf32>'}}
  %y = sbp.box %x : tensor<4xf32> to tensor<4xf32, #sbp.nd<@m, [S(0)]>>
  return
}

// -----

func.func @box_c1_partial_between_groups(%x: tensor<4xf32, #sbp.nd<@a, [P(sum)]>>) {
  // expected-error @+1 {{moves a tensor from group @a to group @b, but is #sbp.nd<@a, [P(sum)]> at one end; between groups a tensor is Split or Broadcast}}
  %y = sbp.box %x : tensor<4xf32, #sbp.nd<@a, [P(sum)]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
  return
}

// -----

func.func @box_c3(%x: tensor<4xf32, #sbp.nd<@a, [B]>>) {
  // expected-error @+1 {{is bucketed and moves a tensor from group @a to group @b; a bucket is of collectives of one group}}
  %y = sbp.box bucketed %x : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@b, [B]>>
  return
}

// -----

func.func @box_c1_axes(%x: tensor<4xf32, #sbp.nd<@a, [B]>>) {
  // expected-error @+1 {{has 1 components before and 2 after}}
  %y = sbp.box %x : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@a, [B, B]>>
  return
}

// -----

func.func @box_c2(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // expected-error @+1 {{only the placement may change}}
  %y = sbp.box %x : tensor<4xf32, #sbp.nd<@m, [B]>> to tensor<5xf32, #sbp.nd<@m, [B]>>
  return
}

// -----

func.func @cast_c1(%x: tensor<4xf32, #sbp.nd<@a, [B]>>) {
  // expected-error @+1 {{needs placed types, but has 'tensor<4xf32>'}}
  %y = sbp.cast %x : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32>
  return
}

// -----

func.func @cast_c2(%x: tensor<4xf32, #sbp.nd<@m, [B]>>) {
  // expected-error @+1 {{only the placement may change}}
  %y = sbp.cast %x : tensor<4xf32, #sbp.nd<@m, [B]>> to tensor<4xi32, #sbp.nd<@m, [B]>>
  return
}

// -----

// expected-error @+1 {{has, from its outermost level to 'gpu', more than 65536 devices}}
sbp.machine @machine_c2 [
  #sbp.level<"node" x 65536, alpha = 1.0e-5, beta = 1.0e-10>, #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{lists 1 ranks, but its axes have 2 positions}}
sbp.mesh @mesh_c3_count of @m ranks [0] [#sbp.axis<"x" x 2 in "gpu">]

// -----

// expected-note @+1 {{machine defined here}}
sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{lists rank 4 of @m, whose ranks are 0 to 3}}
sbp.mesh @mesh_c3_range of @m ranks [4] [#sbp.axis<"x" x 1 in "gpu">]

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{lists rank 1 twice}}
sbp.mesh @mesh_c3_twice of @m ranks [1, 1] [#sbp.axis<"x" x 2 in "gpu">]

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{has axis 'x' in level 'gpu', but ranks 0 and 2 along it differ in level 'node'}}
sbp.mesh @mesh_c4 of @m ranks [0, 2] [#sbp.axis<"x" x 2 in "gpu">]

// -----

sbp.machine @m [#sbp.level<"node" x 2, alpha = 1.0e-5, beta = 1.0e-10>,
                #sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
// expected-error @+1 {{has axis 'x' in level 'rack', which @m does not have}}
sbp.mesh @mesh_c4_level of @m ranks [0] [#sbp.axis<"x" x 1 in "rack">]

// -----

func.func @pin_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{failed to verify that all of {input, result} have same type}}
  %y = "sbp.pin"(%x) {placement = #sbp.nd<@m, [B]>} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @cast_c1_components(%x: tensor<4xf32, #sbp.nd<@a, [B]>>) {
  // expected-error @+1 {{has 1 components before and 2 after}}
  %y = sbp.cast %x : tensor<4xf32, #sbp.nd<@a, [B]>> to tensor<4xf32, #sbp.nd<@a, [B, B]>>
  return
}

// -----

func.func @arrive_c1() {
  // expected-error @+2 {{has no signature () -> (P(sum)) (mesh axis 0)}}
  // expected-note @+1 {{its signatures are () -> (B); () -> (S(0))}}
  %x = sbp.arrive : tensor<4xf32, #sbp.nd<@a, [P(sum)]>>
  return
}

// -----

func.func @depart_c1(%x: tensor<4xf32, #sbp.nd<@a, [P(sum)]>>) {
  // expected-error @+2 {{has no signature (P(sum)) -> () (mesh axis 0)}}
  // expected-note @+1 {{its signatures are (B) -> (); (S(0)) -> ()}}
  sbp.depart %x : tensor<4xf32, #sbp.nd<@a, [P(sum)]>>
  return
}
