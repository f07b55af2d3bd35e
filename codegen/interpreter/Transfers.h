// What rank.send and rank.receive do on one rank.
//
// A receiver takes the parts of all that send, puts the whole tensor together
// and cuts its own part from it: what came from where does not matter, and
// copies that should be equal are seen to be.

#ifndef CODEGEN_INTERPRETER_TRANSFERS_H_
#define CODEGEN_INTERPRETER_TRANSFERS_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

/// Adds the rows of rank.send and rank.receive for rank `rank`. The n-th time
/// that a rank receives through a transfer is the n-th time that others send.
/// `rendezvous` outlives the table.
void addTransferEvaluators(Evaluators& evaluators, int64_t rank,
                           Rendezvous& rendezvous);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TRANSFERS_H_
