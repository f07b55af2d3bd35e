#include "runtime/main/ProcessorCheck.h"

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/bootstrap/Member.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

// Number of features that a message names; the rest are counted.
constexpr size_t kMostNamedFeatures = 6;

}  // namespace

absl::Status checkProcessor(const cpu::Processor& processor, int64_t rank) {
  std::vector<std::string> missing = cpu::missingFeatures(processor.features);
  if (missing.empty()) return absl::OkStatus();
  const size_t numMore =
      missing.size() - std::min(missing.size(), kMostNamedFeatures);
  missing.resize(missing.size() - numMore);
  return error(
      "the program is for the CPU {}, but that of {} has no {}{}; sbpc --cpu "
      "compiles for another one, x86-64-v2 for any",
      processor.name, bootstrap::thisProcess(rank).describe(),
      fmt::join(missing, ", "),
      numMore == 0 ? "" : fmt::format(", and {} more", numMore));
}

}  // namespace sbp::program
