#include "runtime/proof/Proof.h"

#include <cstddef>

#include "runtime/proof/Values.h"
#include "runtime/proof/Waits.h"
#include "runtime/status/Status.h"

namespace sbp::proof {
namespace {

absl::Status proveEntry(const plan::Plan& plan, size_t entry) {
  SBP_RETURN_IF_ERROR(checkWaits(plan, entry, Channel::kAnyOrder));
  for (const plan::Program& program : plan.programs)
    if (!program.entries[entry].values.areUnknown())
      SBP_RETURN_IF_ERROR(checkValues(plan, program, entry));
  return absl::OkStatus();
}

}  // namespace

absl::Status prove(const plan::Plan& plan) {
  for (size_t entry = 0; entry < plan.entries.size(); ++entry)
    if (absl::Status status = proveEntry(plan, entry); !status.ok())
      return error("entry \"{}\": {}", plan.entries[entry].name,
                   textOf(status));
  return absl::OkStatus();
}

}  // namespace sbp::proof
