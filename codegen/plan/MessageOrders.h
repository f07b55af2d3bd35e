// Decides in which ways GPUs can carry the messages of a plan.

#ifndef CODEGEN_PLAN_MESSAGEORDERS_H_
#define CODEGEN_PLAN_MESSAGEORDERS_H_

#include "runtime/plan/Plan.h"

namespace sbp {

/// Chooses the channels of messages (plan::Transfer::channel) of each entry of
/// `plan`, and sets plan::Entry::takesInOrder and sendsInOrder. Leaves entries
/// as they are in which messages decide the order of tasks
/// (plan::Loop::Messages), because that order is known only at run time. `plan`
/// must have passed proof::prove().
void chooseMessageOrders(plan::Plan& plan);

}  // namespace sbp

#endif  // CODEGEN_PLAN_MESSAGEORDERS_H_
