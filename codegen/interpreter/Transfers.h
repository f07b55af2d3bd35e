// Evaluators of rank.send and rank.receive on one rank.
//
// A receiver takes the parts of all senders, assembles the whole tensor and
// cuts its own part from it. So it does not matter which bytes come from which
// rank, and copies that should be equal are checked.

#ifndef CODEGEN_INTERPRETER_TRANSFERS_H_
#define CODEGEN_INTERPRETER_TRANSFERS_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

/// Adds the evaluators of rank.send and rank.receive for rank `rank`, which
/// `interpreter` runs. Inside an nn.repeat a receive gets the tensor that was
/// sent for the same iteration, in whatever order iterations run. References
/// outlive `evaluators`.
void addTransferEvaluators(Evaluators& evaluators, int64_t rank,
                           const Interpreter& interpreter,
                           Rendezvous& rendezvous);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TRANSFERS_H_
