// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// What a layer keeps is said on the layer, by a known word.

// expected-error @+1 {{'norms' is nothing that a layer keeps; known are all, products, inputs}}
func.func private @keeps_unknown_values() attributes {sbp.keep = #sbp.keep<norms>}

// -----

// expected-error @+1 {{has 'sbp.keep' = "inputs"; it says what is kept, such as #sbp.keep<inputs>}}
func.func private @keep_is_text() attributes {sbp.keep = "inputs"}

// -----

// expected-error @+1 {{has 'sbp.keep', which belongs on a private function: a layer}}
func.func @entry_is_no_layer() attributes {sbp.keep = #sbp.keep<inputs>} {
  return
}

// -----

func.func private @layer()
func.func private @call_is_no_layer() {
  // expected-error @+1 {{has 'sbp.keep', which belongs on a private function: a layer}}
  call @layer() {sbp.keep = #sbp.keep<inputs>} : () -> ()
  return
}

// -----

// expected-error @+1 {{'sbp.recompute'}}
func.func private @recomputed_by_an_unknown_name() attributes {sbp.recompute}
