// The evaluators of the project's own ops on whole tensors; those of the rank
// dialect are in Collectives.h and Transfers.h.

#ifndef CODEGEN_INTERPRETER_EVALUATE_STANDARDEVALUATORS_H_
#define CODEGEN_INTERPRETER_EVALUATE_STANDARDEVALUATORS_H_

#include "codegen/interpreter/Evaluators.h"

namespace sbp::interpreter {

/// Returns the evaluators of the ops of `nn` that the interpreter does not run
/// itself (Interpreter.h), and of `sbp.pin`, `sbp.cast` and `sbp.box`, which
/// leave a whole tensor as it is.
Evaluators standardEvaluators();

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_EVALUATE_STANDARDEVALUATORS_H_
