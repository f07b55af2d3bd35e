// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// schedule_c1
// expected-error @+1 {{is a schedule of stages, but the module has no sbp.stages}}
sbp.schedule [@front "0F0,0B0"]

// -----

// schedule_c1
sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@b, @a, @b]
// expected-error @+1 {{has rows of [@a, @b]; those of sbp.stages are [@b, @a], in the order in which it first names them}}
sbp.schedule [@a "1F0,1B0", @b "0F0,2F0,2B0,0B0"]

// -----

// schedule_c1
sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.mesh @b of @host ranks [1] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a, @b]
// expected-error @+1 {{has rows of [@a]; those of sbp.stages are [@a, @b]}}
sbp.schedule [@a "0F0,0B0"]

// -----

// schedule_c1
sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
// expected-note @+1 {{the stages are here}}
sbp.stages [@a]
// expected-error @+1 {{has rows of [@a, @a]; those of sbp.stages are [@a]}}
sbp.schedule [@a "0F0,0B0", @a "0F1,0B1"]

// -----

// schedule_c3
sbp.machine @host [#sbp.level<"cpu" x 2, alpha = 1.0e-6, beta = 1.0e-9>]
sbp.mesh @a of @host ranks [0] [#sbp.axis<"one" x 1 in "cpu">]
sbp.stages [@a]
// expected-note @+1 {{the first is here}}
sbp.schedule [@a "0F0,0B0"]
// expected-error @+1 {{is a second one; a program has one schedule}}
sbp.schedule [@a "0F0,0B0"]

// -----

// schedule_c2
// expected-error @+1 {{has 1 rows for 2 groups; each group has one}}
"sbp.schedule"() {groups = [@a, @b], rows = ["0F0"]} : () -> ()

// -----

// schedule_c2
// expected-error @+1 {{has a row of @a of several lines; a row is one line}}
sbp.schedule [@a "0F0\0A0B0"]

// -----

// expected-error @+1 {{expected attribute value}}
sbp.schedule [@a]
