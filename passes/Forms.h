// The forms of a program, and the passes that verify them.
//
//   logical ─▶ differentiated ─▶ placed ─▶ boxed ─▶ local
//
// sbpc brings a program from form to form and checks each form, so a pass may
// rely on the form that it starts from. The checks of single ops are in the
// dialects.

#ifndef PASSES_FORMS_H_
#define PASSES_FORMS_H_

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sbp {

/// The forms, in the order of the data flow.
enum class Form { Logical, Differentiated, Placed, Boxed, Local };

inline constexpr Form kForms[] = {Form::Logical, Form::Differentiated,
                                  Form::Placed, Form::Boxed, Form::Local};

/// Returns the name of a form: "logical", "differentiated" ...
llvm::StringRef stringOf(Form form);

/// Returns the form that `module` seems to have, without verifying it: Local if
/// it has a rank.program, else Logical if it has no placed types, else Boxed if
/// it has boxes (sbp.box) and no casts (sbp.cast), else Placed. A
/// differentiated program counts as Logical, and a boxed program without boxes
/// as Placed.
Form formOf(mlir::ModuleOp module);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Forms.h.inc"

}  // namespace sbp

#endif  // PASSES_FORMS_H_
