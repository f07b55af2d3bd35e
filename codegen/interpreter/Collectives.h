// What the ops of the rank dialect compute on one rank: exchanges with the
// other members of its group, and the steps that depend on its place in it.

#ifndef CODEGEN_INTERPRETER_COLLECTIVES_H_
#define CODEGEN_INTERPRETER_COLLECTIVES_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

/// Adds the rows of the rank dialect for rank `rank`, which meets the others at
/// `rendezvous`; that outlives the table.
void addCollectiveEvaluators(Evaluators& evaluators, int64_t rank,
                             Rendezvous& rendezvous);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_COLLECTIVES_H_
