// RUN: sbp-opt %s --split-input-file --verify-diagnostics --sbp-cut-stages

// Errors in a schedule are reported at its op.

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a, @b]
// expected-error @+1 {{has rows that cannot be read: line 1, cell 2: }}
sbp.schedule [@a "0F0,0X0", @b "1F0,1B0"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{runs stage 1 on worker 0, @a, but sbp.stages has it on worker 1, @b}}
sbp.schedule [@a "0F0,1F0,1B0,0B0", @b ""]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{runs stage 0 on worker 1, @b, but sbp.stages has it on worker 0, @a}}
sbp.schedule [@a "1F0,1B0", @b "0F0,0B0"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b, @a]
// expected-error @+1 {{has 2 stages, but sbp.stages has 3}}
sbp.schedule [@a "0F0,0B0", @b "1F0,1B0"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{has 3 stages, but sbp.stages has 2}}
sbp.schedule [@a "0F0,0B0", @b "1F0,1B0,2F0,2B0"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{cannot be run: stage 1, micro-batch 1 has its forward on worker 0 and its backward on worker 1}}
sbp.schedule [@a "0F0,0B0,1F1", @b "1F0,1B0,0F1,0B1,1B1"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{cannot be run: stage 1, micro-batch 1 has a forward on worker 1 and no backward}}
sbp.schedule [@a "0F0,0F1,0B0,0B1", @b "1F0,1B0,1F1"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{cannot be run: tasks wait for one another, so that none is ever run}}
sbp.schedule [@a "0F0,0B0,0F1,0B1", @b "1F0,1F1,1B0,1B1"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{has forwards of stage 0 of one step that read weights of several ages: micro-batch 0 those 1 steps old, micro-batch 1 those 0 steps old; all of a step are to read the same, as with 0U+1}}
sbp.schedule [@a "0F0,0B1<1,0U<1,0F1,0B0", @b "1F0,1B0,1F1,1B1,1U"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{is without a flush and has by_messages; steps that overlap run in the order of the rows, so by_messages must be left out}}
sbp.schedule [@a "0F0,0B0<1,0U<1", @b "1F0,1B0,1U"] {by_messages}

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b, @a]
// expected-error @+1 {{has the forward of stage 2, micro-batch 0 a step before the last update of its worker's step, and it reads weights 0 steps old; it cannot begin before these are there, so updates of a worker's stages are to stand together}}
sbp.schedule [@a "0F0,2F0,2B0,2U,0B0<1,0U<1", @b "1F0,1B0,1U"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{has stage 1 on workers 0 and 1; without a flush a stage is on one}}
sbp.schedule [@a "0F0,0F1,1F1,1B1,0B1,0B0,0U+1,1U+1", @b "1F0,1B0,1U+1"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{has 0U before 2F0; in a schedule with a flush, updates of weights must be at the end of a row}}
sbp.schedule [@a "0F0,0B0,0U,2F0,2B0", @b "1F0,1B0,1U"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{has 0U0; a step must update its weights once, by the gradients of all its micro-batches; to update after each micro-batch, make it a step of its own}}
sbp.schedule [@a "0F0,0F1,0B0,0B1,0U0,0U1", @b "1F0,1B0,1F1,1B1,1U0,1U1"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{recomputes stage 0 for micro-batch 1, but not for micro-batch 0; a stage is recomputed for all micro-batches or for none}}
sbp.schedule [@a "0F0,0F1,0B0,0R1,0B1", @b "1F0,1B0,1F1,1B1"]

// -----

sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0, 1] [#sbp.axis<"data" x 2 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{is for groups that have rank 1 in common, @a and @b; with a schedule each rank must be in one group}}
sbp.schedule [@a "0F0,0B0", @b "1F0,1B0"]
