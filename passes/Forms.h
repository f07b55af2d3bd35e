// The forms of a program, and the passes that check them: one per form.
//
//   logical ─▶ differentiated ─▶ placed ─▶ boxed ─▶ local
//
// A pass may rely on the form that it starts from, since the form was checked
// at its boundary; the checks of single ops are in the dialects.

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

/// Returns "logical", "differentiated" ...
llvm::StringRef stringOf(Form form);

/// Returns the form that `module` is in, as far as it shows: Local with rank
/// programs, Placed or Boxed with placed types, Logical otherwise (a logical
/// program without anything to train is a differentiated one too). The module
/// is not checked.
Form formOf(mlir::ModuleOp module);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Forms.h.inc"

}  // namespace sbp

#endif  // PASSES_FORMS_H_
