// The report of sbp-lab about a schedule. The schedule is made by a family or
// read from a file.

#ifndef PASSES_SCHEDULE_LAB_REPORT_H_
#define PASSES_SCHEDULE_LAB_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/lab/Synthesis.h"

namespace sbp::schedule::lab {

/// The options of the user. Each list of durations has one value per stage, or
/// a single value for all stages.
struct Request {
  std::string family;     // as in families/FamilyText.h
  std::string tablePath;  // file with a table (Csv.h), instead of a family
  // Numbers of workers and of micro-batches. For a family, the defaults are
  // kUsualStages and kUsualMicroBatches. For a file, the numbers that its table
  // must have, if given.
  std::optional<int64_t> stages, microBatches;
  // Parameters of a family, as in Shape (families/Family.h).
  std::optional<int64_t> chunks, pairs;
  std::optional<std::string> variant;
  std::vector<int64_t> workerOfStage;  // of the family `list`
  bool isRecomputed = false;
  // Number of steps to run. By default 1 for a table with a flush, otherwise
  // the number of steps that fill the pipeline.
  std::optional<int64_t> steps;

  // Durations, in any unit.
  std::vector<double> forward = {1}, backward = {2};
  // If `input` and `weight` are empty, each is half of `backward`. If one of
  // them is empty, it is what the other leaves of `backward`. If `recompute` is
  // empty, it is `forward`.
  std::vector<double> input, weight, recompute;
  std::vector<double> reduce = {0}, update = {0};
  double transfer = 0;
  double latency = 0;

  SynthesisRequest synthesis;
  std::string outputPath;  // file to which the table is written, too
};

inline constexpr int64_t kUsualStages = 4, kUsualMicroBatches = 8;

/// The format of the report.
enum class Form {
  Text,  // the main figures for people, with a picture if it is narrow enough
  Csv,   // the table alone
  Json,  // everything
};

/// Makes or reads the table, checks it, reorders it if that is wanted,
/// simulates it (except for Form::Csv), and returns the report. Writes the
/// table to `outputPath`, if given. Fails if the request, a file or the table
/// is wrong or too large.
absl::StatusOr<std::string> reportOf(const Request& request, Form form);

}  // namespace sbp::schedule::lab

#endif  // PASSES_SCHEDULE_LAB_REPORT_H_
