// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// What functions of stages say.

// expected-error @+1 {{has 'sbp.kind' = "X"; known are "F", "B", "I", "W", "R"}}
func.func private @no_such_kind() attributes {sbp.kind = "X", sbp.stage = 0}

// -----

// expected-error @+1 {{has 'sbp.kind' = 1 : i64; known are "F", "B", "I", "W", "R"}}
func.func private @kind_is_no_letter() attributes {sbp.kind = 1, sbp.stage = 0}

// -----

// expected-error @+1 {{has 'sbp.kind', but is no function with 'sbp.stage'}}
func.func private @kind_of_no_stage() attributes {sbp.kind = "F"}

// -----

// expected-error @+1 {{has 'sbp.split_backward', but is no function with 'sbp.stage'}}
func.func private @halves_of_no_stage() attributes {sbp.split_backward}

// -----

func.func private @layer()
func.func private @call_is_no_function() {
  // expected-error @+1 {{has 'sbp.recompute', but is no function with 'sbp.stage'}}
  call @layer() {sbp.recompute, sbp.stage = 0} : () -> ()
  return
}

// -----

// expected-error @+1 {{has 'sbp.recompute' = 3 : i64, which is there or not, and has no value}}
func.func private @recomputed_thrice() attributes {sbp.recompute = 3, sbp.stage = 0}

// -----

// expected-error @+1 {{has 'sbp.group' = "back"; it is the name of a group, such as @back}}
func.func private @group_is_no_name() attributes {sbp.group = "back", sbp.stage = 0}

// -----

// expected-error @+1 {{'func.func' op}}
func.func private @no_such_group() attributes {sbp.group = @nowhere, sbp.stage = 0}
