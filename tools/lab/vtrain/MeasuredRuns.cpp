#include "tools/lab/vtrain/MeasuredRuns.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "absl/strings/numbers.h"
#include "runtime/status/Status.h"

namespace sbp::vtrain {
namespace {

/// Returns the first `number` values of each line after the line of names. A
/// value that is no number is 0. Fails if a line has fewer values.
absl::StatusOr<std::vector<std::vector<double>>> valuesOf(std::string_view text,
                                                          size_t number) {
  std::vector<std::vector<double>> values;
  std::istringstream lines{std::string(text)};
  int64_t line = 0;
  for (std::string row; std::getline(lines, row);) {
    if (++line == 1 || row.empty() || row == "\r") continue;
    std::vector<double>& ofRow = values.emplace_back();
    std::istringstream cells(row);
    for (std::string cell;
         ofRow.size() < number && std::getline(cells, cell, ',');) {
      // A word is 0, which is no valid value.
      double value = 0;
      ofRow.push_back(absl::SimpleAtod(cell, &value) ? value : 0);
    }
    if (ofRow.size() < number)
      return error("line {} has {} values; {} are needed", line, ofRow.size(),
                   number);
  }
  if (values.empty()) return error("there are no lines of values");
  return values;
}

/// Returns what is wrong with `run`; empty if nothing is.
std::string_view mistakeOf(const MeasuredRun& run) {
  if (run.tensor * run.data * run.pipeline != run.gpus)
    return "the degrees of parallelism do not multiply to the number of GPUs";
  if (run.batch % (run.microBatch * run.data) != 0)
    return "the batch cannot be divided into micro-batches";
  if (run.layers % run.pipeline != 0)
    return "the layers cannot be divided into stages";
  return {};
}

}  // namespace

absl::StatusOr<std::vector<MeasuredRun>> readRuns(std::string_view text) {
  SBP_ASSIGN_OR_RETURN(const auto values, valuesOf(text, 11));
  std::vector<MeasuredRun> runs;
  for (size_t i = 0; i < values.size(); ++i) {
    MeasuredRun& run = runs.emplace_back();
    int64_t* const counts[] = {
        &run.gpus,   &run.batch,  &run.microBatch, &run.hidden, &run.heads,
        &run.layers, &run.length, &run.tensor,     &run.data,   &run.pipeline};
    for (size_t k = 0; k < std::size(counts); ++k) {
      if (values[i][k] < 1 || values[i][k] != std::floor(values[i][k]) ||
          values[i][k] > 1e9)
        return error("line {}, value {} is no positive integer", i + 2, k + 1);
      *counts[k] = static_cast<int64_t>(values[i][k]);
    }
    run.seconds = values[i][10] * 1e-3;
    if (!(run.seconds > 0) || !std::isfinite(run.seconds))
      return error("line {}, value 11 is no positive time", i + 2);
    if (const std::string_view mistake = mistakeOf(run); !mistake.empty())
      return error("line {}: {}", i + 2, mistake);
  }
  return runs;
}

absl::StatusOr<AllReduceTimes> AllReduceTimes::read(std::string_view text) {
  SBP_ASSIGN_OR_RETURN(const auto values, valuesOf(text, 4));
  AllReduceTimes times;
  for (size_t i = 0; i < values.size(); ++i) {
    const double bytes = values[i][0], seconds = values[i][3] * 1e-9;
    if (!(seconds > 0) || !std::isfinite(seconds))
      return error("line {}, value 4 is no positive time", i + 2);
    if (bytes <= (times.bytes_.empty() ? 0 : times.bytes_.back()))
      return error("line {}: sizes must ascend", i + 2);
    times.bytes_.push_back(bytes);
    times.seconds_.push_back(seconds);
  }
  return times;
}

double AllReduceTimes::seconds(double bytes) const {
  if (bytes <= bytes_.front()) return seconds_.front();
  if (bytes >= bytes_.back()) return seconds_.back() * bytes / bytes_.back();
  const auto above = std::upper_bound(bytes_.begin(), bytes_.end(), bytes);
  const size_t i = above - bytes_.begin();
  const double part = (bytes - bytes_[i - 1]) / (bytes_[i] - bytes_[i - 1]);
  return seconds_[i - 1] + part * (seconds_[i] - seconds_[i - 1]);
}

}  // namespace sbp::vtrain
