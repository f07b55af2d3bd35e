#include "runtime/calibration/RankTimes.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/ranges.h"
#include "runtime/status/Status.h"

namespace sbp::calibration {

using communication::Communicator;

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double lowerQuartile(std::vector<double> values) {
  auto quarter = values.begin() + values.size() / 4;
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

absl::StatusOr<std::vector<double>> greatestOfRanks(
    Communicator& communicator, const std::vector<double>& mine) {
  SBP_ASSIGN_OR_RETURN(
      const std::vector<std::string> all,
      communicator.allGather(fmt::format("{}", fmt::join(mine, " "))));
  std::vector<double> greatest = mine;
  for (const std::string& text : all) {
    const std::vector<absl::string_view> words = absl::StrSplit(text, ' ');
    for (size_t i = 0; i < greatest.size(); ++i) {
      double value = 0;
      if (i >= words.size() || !absl::SimpleAtod(words[i], &value)) {
        return error("a rank's times are '{}'", text);
      }
      greatest[i] = std::max(greatest[i], value);
    }
  }
  return greatest;
}

}  // namespace sbp::calibration
