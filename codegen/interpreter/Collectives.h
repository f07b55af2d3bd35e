// Evaluators of the rank dialect's ops on one rank: collectives, in which the
// members of a group exchange tensors, and local steps that depend on the
// rank's position in its group.

#ifndef CODEGEN_INTERPRETER_COLLECTIVES_H_
#define CODEGEN_INTERPRETER_COLLECTIVES_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Rendezvous.h"

namespace sbp::interpreter {

/// Adds the evaluators of the rank dialect's ops for rank `rank`, except
/// rank.send and rank.receive (Transfers.h). The rank exchanges tensors with
/// the others through `rendezvous`, which must outlive `evaluators`.
void addCollectiveEvaluators(Evaluators& evaluators, int64_t rank,
                             Rendezvous& rendezvous);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_COLLECTIVES_H_
