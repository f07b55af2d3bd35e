// What a checkpoint says of the run that wrote it, so that another run can go
// on where that one ended: as text in the metadata of the safetensors file,
// where people and other tools can read it.
//
//   step            "400"       steps that the parameters have had
//   sample          "3200"      samples that these steps have read
//   batch           "8"         samples that a step reads
//   seed            "7"
//   data.tokens     "9f3c..."   fingerprint of the file that feeds an input
//   optimizer       "adamw<weight_decay = 0.1>"
//   schedule        "cosine"
//   steps           "1000"      length of the run, hence of the schedule
//   lr, min_lr      "0.001"
//   warmup          "30"
//
// A file of another tool says nothing of it, an old one of ours the step alone.

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

/// What is not known is absent, or empty.
struct RunRecord {
  int64_t step = 0;
  std::optional<int64_t> sample;
  std::optional<int64_t> batch;
  std::optional<uint64_t> seed;
  std::map<std::string, std::string> data;  // fingerprints, by input
  std::string optimizer;                    // as plan::Entry has it
  std::optional<train::LearningRate> learningRate;
};

/// `record` as metadata.
Metadata toMetadata(const RunRecord& record);

/// What `metadata` says. Fails on a value that is none, with what is accepted.
absl::StatusOr<RunRecord> readRunRecord(const Metadata& metadata);

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_RUNRECORD_H_
