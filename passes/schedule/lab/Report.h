// What sbp-lab says of a schedule: a family's, or one in a file.

#ifndef PASSES_SCHEDULE_LAB_REPORT_H_
#define PASSES_SCHEDULE_LAB_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule::lab {

/// What a user asks for. Durations are for each stage, or one for all of them.
struct Request {
  std::string family;     // as in families/FamilyText.h, or
  std::string tablePath;  // a file with a table (Csv.h)
  std::optional<int64_t> stages, microBatches;
  std::optional<int64_t> chunks, pairs;
  std::optional<std::string> variant;
  bool isRecomputed = false;
  std::optional<int64_t> steps;

  std::vector<double> forward = {1}, backward = {2};
  std::vector<double> input, weight, recompute;  // empty: from the first two
  std::vector<double> reduce = {0}, update = {0};
  double transfer = 0;
  double latency = 0;
};

inline constexpr int64_t kUsualStages = 4, kUsualMicroBatches = 8;

/// What is wanted of the answer.
enum class Form {
  Text,  // a picture and what follows from the table, for people
  Csv,   // the table alone
  Json,  // everything
};

/// Makes or reads the table, checks it, and runs it. Fails with what is wrong
/// with the request, the file or the table.
absl::StatusOr<std::string> reportOf(const Request& request, Form form);

}  // namespace sbp::schedule::lab

#endif  // PASSES_SCHEDULE_LAB_REPORT_H_
