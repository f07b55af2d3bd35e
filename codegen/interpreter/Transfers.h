// Evaluators of rank.send and rank.receive on one rank.
//
// A receiver takes the parts of all senders, assembles the whole tensor and
// cuts its own part from it. So it does not matter which bytes come from which
// rank. A receive fails if copies that should be equal differ.

#ifndef CODEGEN_INTERPRETER_TRANSFERS_H_
#define CODEGEN_INTERPRETER_TRANSFERS_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

/// Adds the evaluators of rank.send and rank.receive for rank `rank`, whose
/// program `interpreter` runs. Inside an nn.repeat, a receive gets the tensor
/// that was sent for the same iteration, in whatever order iterations run.
/// Outside, a send or receive counts as one for iteration 0. `interpreter` and
/// `rendezvous` must outlive `evaluators`.
void addTransferEvaluators(Evaluators& evaluators, int64_t rank,
                           const Interpreter& interpreter,
                           Rendezvous& rendezvous);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TRANSFERS_H_
