#include "codegen/plan/MessageOrders.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/proof/Proof.h"

namespace sbp {
namespace {

/// Whether messages decide the order in which entry `entry` runs.
bool isMessageDriven(const plan::Plan& plan, size_t entry) {
  for (const plan::Program& program : plan.programs)
    for (const plan::Loop& loop : program.entries[entry].loops)
      if (loop.messages) return true;
  return false;
}

}  // namespace

void chooseMessageOrders(plan::Plan& plan) {
  for (size_t number = 0; number < plan.entries.size(); ++number) {
    if (isMessageDriven(plan, number)) continue;
    plan::Entry& entry = plan.entries[number];
    const std::vector<int64_t> channels = proof::channelsFor(plan, number);
    for (size_t i = 0; i < channels.size(); ++i)
      entry.transfers[i].channel = channels[i];
    entry.takesInOrder = proof::proveInOrderOfReceives(plan, number).ok();
    entry.sendsInOrder = proof::proveInOrder(plan, number).ok();
  }
}

}  // namespace sbp
