// The record of a run in its checkpoint, from which another run can continue.
// It is text in the metadata of the safetensors file, where people and other
// tools can read it.
//
//   step            "400"       steps that the parameters have had
//   sample          "3200"      samples that these steps have read
//   batch           "8"         samples per step
//   seed            "7"
//   data.tokens     "9f3c..."   fingerprint of the file that feeds this input
//   optimizer       "adamw<weight_decay = 0.1>"
//   schedule        "cosine"
//   steps           "1000"      length of the run, hence of the schedule
//   lr, min_lr      "0.001"
//   warmup          "30"
//
// Files of other tools have none of these keys; old files of sbp have `step`
// only.

#ifndef RUNTIME_CHECKPOINT_RUNRECORD_H_
#define RUNTIME_CHECKPOINT_RUNRECORD_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/train/LearningRate.h"

namespace sbp::checkpoint {

/// The record of a run. Unknown values are absent or empty.
struct RunRecord {
  int64_t step = 0;
  std::optional<int64_t> sample;
  std::optional<int64_t> batch;
  std::optional<uint64_t> seed;
  std::map<std::string, std::string> data;  // fingerprints, by input
  std::string optimizer;                    // as plan::Entry has it
  std::optional<train::LearningRate> learningRate;
};

/// Returns `record` as metadata.
Metadata toMetadata(const RunRecord& record);

/// Reads the record from `metadata`. Fails on a malformed value, with what is
/// accepted.
absl::StatusOr<RunRecord> readRunRecord(const Metadata& metadata);

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_RUNRECORD_H_
