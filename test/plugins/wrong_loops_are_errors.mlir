// RUN: sbp-opt %s --load-dialect-plugin=%fixtures/trial/trial.so --split-input-file --verify-diagnostics | FileCheck %s

// An op that declares loops which do not fit its tensors is refused where it stands.

// CHECK-LABEL: @right
func.func @right(%a: tensor<8x4xf32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  trial.declared %a, %b, %c loops [8, 4]
      : [array<i64: 0, 1>, array<i64: 1>, array<i64>] -> [array<i64: 0, -1>, array<i64>]
      {reductions = array<i64: 0, 1>, passes = [array<i64: 0, 2>], fetching = [array<i64: 0, 0, 0, -1, 0, -1>]}
      : (tensor<8x4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<8x1xf32>, tensor<f32>)
  // A merge of 2 x 3 rows.
  trial.declared %a loops [2, 5] : [array<i64: 0, -1>] -> [array<i64: 0, -1>]
      {even = array<i64: 0>, wholes = array<i64: 1>}
      : (tensor<8x4xf32>) -> tensor<6x4xf32>
  // A loop that is never split may run over anything.
  trial.declared %a loops [3] : [array<i64: 0, 0>] -> [array<i64: 0>] {wholes = array<i64: 0>}
      : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @too_few_operands(%a: tensor<8xf32>) {
  // expected-error @+1 {{has 2 operands, but declares the loops of 1; each has its TensorLoops, which are empty for a scalar}}
  trial.declared %a, %a loops [8] : [array<i64: 0>] -> [array<i64: 0>]
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @too_many_results(%a: tensor<8xf32>) {
  // expected-error @+1 {{has 1 result, but declares the loops of 2}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>, array<i64>]
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @no_results(%a: tensor<8xf32>) {
  // expected-error @+1 {{has 1 result, but declares the loops of 0}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @no_tensors() {
  // expected-error @+1 {{declares loops, but has neither operands nor results that could be placed}}
  trial.declared loops [] : [] -> [] : () -> ()
  return
}

// -----

func.func @rank(%a: tensor<8x4xf32>) {
  // expected-error @+1 {{declares 1 loop for operand 0, 'tensor<8x4xf32>', which has 2 dimensions; each has a loop, or kNoLoop}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>]
      : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @no_tensor(%a: vector<8xf32>) {
  // expected-error @+1 {{has operand 0 of type 'vector<8xf32>'; an op with loops has ranked tensors only}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>]
      : (vector<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @dynamic(%a: tensor<?xf32>) {
  // expected-error @+1 {{declares loop 0 for dimension 0 of operand 0, 'tensor<?xf32>', of extent}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>]
      : (tensor<?xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @index(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares loop 7 for dimension 0 of operand 0, 'tensor<8xf32>', but has 1 loop, numbered from 0; a dimension without a loop has kNoLoop, -1}}
  trial.declared %a loops [8] : [array<i64: 7>] -> [array<i64: 0>]
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @negative_index(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares loop -2 for dimension 0 of result 0}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: -2>]
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @twice(%a: tensor<8x8xf32>) {
  // expected-error @+1 {{declares loop 0 for dimension 1 of operand 0, 'tensor<8x8xf32>', and for its dimension 0 too; a loop that may be split runs over at most one dimension of a tensor, others are Whole}}
  trial.declared %a loops [8] : [array<i64: 0, 0>] -> [array<i64: 0>]
      : (tensor<8x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @negative_extent(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares an extent of -8 of loop 0; it must be at least 0}}
  trial.declared %a loops [-8] : [array<i64: 0>] -> [array<i64: 0>]
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @other_extent(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares loop 0 for dimension 0 of operand 0, 'tensor<8xf32>', of extent 8, but the loop's extent is 3; they must be equal, or that of the dimension a multiple and the loop evenOnly}}
  trial.declared %a loops [3] : [array<i64: 0>] -> [array<i64: 0>]
      {even = array<i64: 0>} : (tensor<8xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @zero_extent(%a: tensor<8xf32>) {
  // expected-error @+1 {{of extent 8, but the loop's extent is 0}}
  trial.declared %a loops [0] : [array<i64: 0>] -> [array<i64: 0>]
      {even = array<i64: 0>} : (tensor<8xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @several_elements(%a: tensor<8xf32>) {
  // expected-error @+1 {{of extent 8, but the loop's extent is 4: an iteration has 2 elements, so the loop must be evenOnly}}
  trial.declared %a loops [4] : [array<i64: 0>] -> [array<i64: 0>]
      : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @parallel(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares that loop 0 is Parallel, but no dimension of result 1 for it; a loop whose iterations a result combines is a Reduction, and one that is never split is Whole}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>, array<i64>]
      : (tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>)
  return
}

// -----

func.func @pass_of_none(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares a partial pass (sum) through no operand; it goes through one or more}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>] {passes = [array<i64>]}
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @pass_out_of_range(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares a partial pass (sum) through operand 5, but has 1 operand, numbered from 0}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>] {passes = [array<i64: 5>]}
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @pass_twice(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares a partial pass (sum) through operand 0 twice; each operand is listed once}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>] {passes = [array<i64: 0, 0>]}
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @flops(%a: tensor<8xf32>) {
  // expected-error @+1 {{FLOPs per iteration; the number must be finite and at least 0}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>] {flops = -1.0 : f64}
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @communicating_count(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares the communicating signature (S(0)) -> (), but has 1 operand and 1 result}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>] {fetching = [array<i64: 0, 0>]}
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @communicating_dimension(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares the communicating signature (S(3)) -> (S(0)), which splits dimension 3 of operand 0, 'tensor<8xf32>'}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>] {fetching = [array<i64: 0, 3, 0>]}
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @communicating_loop(%a: tensor<8xf32>) {
  // expected-error @+1 {{declares the communicating signature (B) -> (S(0)), which splits loop 2; it must be one of its loops that may be split}}
  trial.declared %a loops [8] : [array<i64: 0>] -> [array<i64: 0>] {fetching = [array<i64: 2, -1, 0>]}
      : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @one_signature_of_two_loops(%a: tensor<8xf32>) {
  // expected-error @+1 {{has the signature (B) -> (P(sum)) by loop 1 and by loop 0; signatures that split different loops must differ, so one of them must be Whole}}
  trial.declared %a loops [8, 4] : [array<i64: -1>] -> [array<i64>]
      {reductions = array<i64: 0, 1>} : (tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @a_split_of_nothing(%a: tensor<8xf32>) {
  // expected-error @+1 {{has the signature (B) -> () by loop 0 and without a split}}
  trial.declared %a loops [8] : [array<i64: -1>] -> [] : (tensor<8xf32>) -> ()
  return
}

// -----

// An op's own verifier comes first: its loops may ask for what it guarantees.
func.func @invalid(%a: tensor<7xf32>) {
  // expected-error @+1 {{swaps the elements of pairs, of which 'tensor<7xf32>' does not consist}}
  %y = trial.swap %a {in_pairs} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @other_type(%a: tensor<8xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{needs tensors of one shape and element type, but has 'tensor<8xf32>' and 'tensor<4xf32>'}}
  %y = trial.gate %a, %b : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}
