// The forms of a program, and the passes that check them: one per form.
//
//   logical ─▶ differentiated ─▶ placed ─▶ boxed ─▶ local
//
// A pass may rely on the form that it starts from, since the form was checked at
// its boundary; the checks of single ops are in the dialects.

#ifndef PASSES_FORMS_H_
#define PASSES_FORMS_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

/// In the order of the data flow.
enum class Form { Logical, Differentiated, Placed, Boxed, Local };

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Forms.h.inc"

}  // namespace sbp

#endif  // PASSES_FORMS_H_
