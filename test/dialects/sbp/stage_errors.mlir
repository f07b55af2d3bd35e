// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// Attributes of the functions of stages, and sbp.stages.

// expected-error @+1 {{'X' is no kind of work of a function; known are F, B, I, W, R}}
func.func private @no_such_kind() attributes {sbp.kind = #sbp.kind<X>, sbp.stage = 0}

// -----

// expected-error @+1 {{'U' is no kind of work of a function; known are F, B, I, W, R}}
func.func private @kind_of_no_function() attributes {sbp.kind = #sbp.kind<U>, sbp.stage = 0}

// -----

// expected-error @+1 {{has 'sbp.kind' = "F"; it is a kind of work, such as #sbp.kind<F>}}
func.func private @kind_is_text() attributes {sbp.kind = "F", sbp.stage = 0}

// -----

// expected-error @+1 {{has 'sbp.kind', which belongs on a function with 'sbp.stage'}}
func.func private @kind_of_no_stage() attributes {sbp.kind = #sbp.kind<F>}

// -----

// expected-error @+1 {{has 'sbp.split_backward', which belongs on a function with 'sbp.stage'}}
func.func private @halves_of_no_stage() attributes {sbp.split_backward}

// -----

func.func private @layer()
func.func private @call_is_no_function() {
  // expected-error @+1 {{has 'sbp.split_backward', which belongs on a function with 'sbp.stage'}}
  call @layer() {sbp.split_backward, sbp.stage = 0} : () -> ()
  return
}

// -----

// expected-error @+1 {{has 'sbp.split_backward' = 3 : i64; it is an attribute without a value}}
func.func private @in_three_parts() attributes {sbp.split_backward = 3, sbp.stage = 0}

// -----

// expected-error @+1 {{has 'sbp.group' = "back"; it is the name of a group, such as @back}}
func.func private @group_is_no_name() attributes {sbp.group = "back", sbp.stage = 0}

// -----

// expected-error @+1 {{'func.func' op}}
func.func private @no_such_group() attributes {sbp.group = @nowhere, sbp.stage = 0}

// -----

// stages_c1: a group is a mesh
// expected-error @+1 {{names the group @nowhere, which is no sbp.mesh of this module}}
sbp.stages [@nowhere]

// -----

// stages_c2
sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the first is here}}
sbp.stages [@a]
// expected-error @+1 {{is a second one; a program has one list of stages}}
sbp.stages [@a]

// -----

// stages_c1: of one machine
sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.machine @other [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @other ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-error @+1 {{names groups of two machines: @a of @host and @b of @other}}
sbp.stages [@a, @b]

// -----

// stages_c1: there are groups
// expected-error @+1 {{lists no groups; it needs at least one}}
sbp.stages []
