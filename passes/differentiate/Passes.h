// Differentiation: from the logical form to the differentiated form.

#ifndef PASSES_DIFFERENTIATE_PASSES_H_
#define PASSES_DIFFERENTIATE_PASSES_H_

#include <memory>
#include <string>

#include "dialects/sbp/Kept.h"
#include "mlir/Pass/Pass.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/options/CheckedOptions.h"
#include "passes/options/OptionDeclarer.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/differentiate/Passes.h.inc"

/// Declares the options of sbp-keep-in-layers to `to`, which stores the values
/// that it reads in `options`. `options` must outlive `to`.
void declareOptions(KeepInLayersOptions& options, OptionDeclarer& to);

/// Declares the options of sbp-differentiate to `to`, which stores the values
/// that it reads in `options`. `options` must outlive `to`. Options that
/// replace attributes of the model are left out.
void declareOptions(DifferentiateOptions& options, OptionDeclarer& to);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_PASSES_H_
