#include "runtime/proof/Proof.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/proof/Channels.h"
#include "runtime/proof/Values.h"
#include "runtime/proof/Waits.h"
#include "runtime/status/Status.h"

namespace sbp::proof {
namespace {

/// Returns a number of micro-batches after which all further micro-batches of a
/// loop without blocks behave alike: by then a carried value can have passed
/// through all carried buffers.
int64_t enoughMicroBatches(const plan::Plan& plan, size_t entry) {
  size_t numCarried = 0;
  for (const plan::Program& program : plan.programs)
    for (const plan::Loop& loop : program.entries[entry].loops)
      numCarried = std::max(numCarried, loop.carried.size());
  return static_cast<int64_t>(numCarried) + 3;
}

bool hasBlocks(const plan::Plan& plan, size_t entry) {
  for (const plan::Program& program : plan.programs)
    for (const plan::Loop& loop : program.entries[entry].loops)
      if (!loop.blocks.empty()) return true;
  return false;
}

/// Returns `plan` with so few micro-batches per loop that they just suffice to
/// show all errors. Entries that have loops with blocks stay as they are,
/// because other ranks may run the same micro-batches in a loop without blocks.
plan::Plan shortened(plan::Plan plan) {
  for (size_t entry = 0; entry < plan.entries.size(); ++entry) {
    if (hasBlocks(plan, entry)) continue;
    const int64_t enough = enoughMicroBatches(plan, entry);
    for (plan::Program& program : plan.programs)
      for (plan::Loop& loop : program.entries[entry].loops)
        loop.numMicroBatches = std::min(loop.numMicroBatches, enough);
  }
  return plan;
}

absl::Status proveValues(const plan::Plan& plan, size_t entry) {
  for (const plan::Program& program : plan.programs)
    if (!program.entries[entry].values.areUnknown())
      SBP_RETURN_IF_ERROR(checkValues(plan, program, entry));
  return absl::OkStatus();
}

/// Calls `prove` for every entry of `plan`. The error names the entry.
template <typename Prove>
absl::Status forAll(const plan::Plan& plan, Prove prove) {
  for (size_t entry = 0; entry < plan.entries.size(); ++entry)
    if (const absl::Status status = prove(entry); !status.ok())
      return error("entry \"{}\": {}", plan.entries[entry].name,
                   textOf(status));
  return absl::OkStatus();
}

}  // namespace

absl::Status prove(const plan::Plan& plan) {
  const plan::Plan few = shortened(plan);
  return forAll(few, [&](size_t entry) -> absl::Status {
    SBP_RETURN_IF_ERROR(checkWaits(few, entry, Channel::kAnyOrder));
    return proveValues(few, entry);
  });
}

std::vector<int64_t> channelsFor(const plan::Plan& plan, size_t entry) {
  auto channels = channelsOf(shortened(plan), entry);
  if (channels.ok()) return *std::move(channels);
  return std::vector<int64_t>(plan.entries[entry].transfers.size(), 0);
}

absl::Status proveInOrder(const plan::Plan& plan, size_t entry) {
  return checkWaits(shortened(plan), entry, Channel::kInOrder);
}

absl::Status proveInOrderOfReceives(const plan::Plan& plan, size_t entry) {
  return checkWaits(shortened(plan), entry, Channel::kInOrderOfReceives);
}

}  // namespace sbp::proof
