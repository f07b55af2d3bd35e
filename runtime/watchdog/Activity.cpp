#include "runtime/watchdog/Activity.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

namespace sbp::watchdog {

std::string encodeReport(const Report& report) {
  return fmt::format("{} {} {}", report.numCalls, report.numSteps,
                     report.waitsIn);
}

Report decodeReport(std::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(
      absl::string_view(text.data(), text.size()), absl::MaxSplits(' ', 2));
  Report report;
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[0], &report.numCalls) ||
      !absl::SimpleAtoi(parts[1], &report.numSteps)) {
    return {};
  }
  report.waitsIn = parts[2];
  return report;
}

const std::string& Activity::name(std::string_view text) {
  std::lock_guard<std::mutex> lock(mutex);
  const auto found = names.find(text);
  if (found != names.end()) return *found;
  return *names.emplace(text).first;
}

Report Activity::report() const {
  Report report;
  report.numCalls = numCalls.load(std::memory_order_relaxed);
  report.numSteps = numSteps.load(std::memory_order_relaxed);
  const std::string* where = waitsIn.load(std::memory_order_relaxed);
  if (where) report.waitsIn = *where;
  return report;
}

}  // namespace sbp::watchdog
