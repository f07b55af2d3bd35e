// The record of a run in a checkpoint, with which another run can continue the
// first one.
//
// The record is text in the metadata of the safetensors file, where people and
// other tools can read it:
//
//   step            "400"       training steps done so far
//   sample          "3200"      position in the data where the next step
//                               begins, in samples
//   batch           "8"         samples per step
//   seed            "7"         seed of the run's random numbers
//   data.<input>    "9f3c..."   fingerprint of the data file of that input, for
//                               example of data.tokens
//   optimizer       "adamw<weight_decay = 0.1>"
//   schedule        "cosine"    learning rate: constant, linear or cosine
//   steps           "1000"      planned length of the run and of the schedule
//   lr, min_lr      "0.001"     highest and lowest learning rate
//   warmup          "30"        steps in which the learning rate rises
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

/// The record of a run. A value that the file does not have is nullopt or
/// empty, but a missing `step` is 0.
struct RunRecord {
  int64_t step = 0;
  std::optional<int64_t> sample;
  std::optional<int64_t> batch;
  std::optional<uint64_t> seed;
  std::map<std::string, std::string> data;  // fingerprints, by input
  std::string optimizer;                    // text of plan::Entry::optimizer
  /// Set only if the file has all of `schedule`, `steps`, `lr`, `min_lr` and
  /// `warmup`.
  std::optional<train::LearningRate> learningRate;
};

/// Returns `record` as metadata.
Metadata toMetadata(const RunRecord& record);

/// Reads the record from `metadata`. Fails if a value is malformed; the error
/// says what is accepted.
absl::StatusOr<RunRecord> readRunRecord(const Metadata& metadata);

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_RUNRECORD_H_
