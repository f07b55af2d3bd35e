// What rank.send and rank.receive do on one rank.
//
// A receiver takes the parts of all that send, puts the whole tensor together
// and cuts its own part from it: what came from where does not matter, and
// copies that should be equal are seen to be.

#ifndef CODEGEN_INTERPRETER_TRANSFERS_H_
#define CODEGEN_INTERPRETER_TRANSFERS_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

/// Adds the rows of rank.send and rank.receive for rank `rank`, which
/// `interpreter` runs. What is received in what is repeated is what others send
/// in the same repetition, in whatever order these run. The references outlive
/// the table.
void addTransferEvaluators(Evaluators& evaluators, int64_t rank,
                           const Interpreter& interpreter,
                           Rendezvous& rendezvous);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TRANSFERS_H_
