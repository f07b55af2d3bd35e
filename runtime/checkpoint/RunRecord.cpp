#include "runtime/checkpoint/RunRecord.h"

#include <cmath>
#include <string_view>

#include "absl/strings/numbers.h"
#include "runtime/status/Status.h"

namespace sbp::checkpoint {
namespace {

using train::LearningRate;

constexpr char kStep[] = "step";
constexpr char kSample[] = "sample";
constexpr char kBatch[] = "batch";
constexpr char kSeed[] = "seed";
constexpr char kDataPrefix[] = "data.";
constexpr char kOptimizer[] = "optimizer";
constexpr char kSchedule[] = "schedule";
constexpr char kNumSteps[] = "steps";
constexpr char kPeak[] = "lr";
constexpr char kMinimum[] = "min_lr";
constexpr char kWarmup[] = "warmup";

constexpr int64_t kMaxSteps = 1'000'000'000'000;  // beyond any real run
constexpr int64_t kMaxSamples = int64_t{1} << 62;

/// Reads values of the metadata by their keys, and keeps the first error.
class Reader {
 public:
  explicit Reader(const Metadata& metadata) : metadata(metadata) {}

  std::optional<int64_t> integer(const char* key, int64_t highest) {
    const std::string* text = find(key);
    if (!text) return std::nullopt;
    int64_t value = 0;
    if (absl::SimpleAtoi(*text, &value) && value >= 0 && value <= highest)
      return value;
    return refuse(key, *text, fmt::format("an integer from 0 to {}", highest));
  }

  std::optional<uint64_t> unsignedInteger(const char* key) {
    const std::string* text = find(key);
    if (!text) return std::nullopt;
    uint64_t value = 0;
    if (absl::SimpleAtoi(*text, &value)) return value;
    return refuse(key, *text, fmt::format("an integer up to {}", UINT64_MAX));
  }

  std::optional<double> number(const char* key) {
    const std::string* text = find(key);
    if (!text) return std::nullopt;
    double value = 0;
    if (absl::SimpleAtod(*text, &value) && std::isfinite(value) && value >= 0)
      return value;
    return refuse(key, *text, "a finite number of at least 0");
  }

  std::optional<LearningRate::Schedule> schedule(const char* key) {
    const std::string* text = find(key);
    if (!text) return std::nullopt;
    const auto value = train::parseSchedule(*text);
    if (value) return value;
    return refuse(key, *text, "constant, linear or cosine");
  }

  std::string text(const char* key) {
    const std::string* found = find(key);
    return found ? *found : "";
  }

  const absl::Status& status() const { return problem; }

 private:
  const std::string* find(const char* key) const {
    const auto found = metadata.find(key);
    return found == metadata.end() ? nullptr : &found->second;
  }

  std::nullopt_t refuse(const char* key, std::string_view value,
                        std::string_view accepted) {
    problem.Update(
        error("its \"{}\" is \"{}\", which is not {}", key, value, accepted));
    return std::nullopt;
  }

  const Metadata& metadata;
  absl::Status problem;
};

}  // namespace

Metadata toMetadata(const RunRecord& record) {
  Metadata metadata;
  const auto put = [&](const char* key, const auto& value) {
    if (value) metadata[key] = fmt::format("{}", *value);
  };
  metadata[kStep] = fmt::format("{}", record.step);
  put(kSample, record.sample);
  put(kBatch, record.batch);
  put(kSeed, record.seed);
  for (const auto& [input, fingerprint] : record.data)
    metadata[kDataPrefix + input] = fingerprint;
  if (!record.optimizer.empty()) metadata[kOptimizer] = record.optimizer;
  if (record.learningRate) {
    // fmt writes enough digits of a number to read back the same number.
    const LearningRate& rate = *record.learningRate;
    metadata[kSchedule] = train::toString(rate.schedule);
    metadata[kNumSteps] = fmt::format("{}", rate.numSteps);
    metadata[kPeak] = fmt::format("{}", rate.peak);
    metadata[kMinimum] = fmt::format("{}", rate.minimum);
    metadata[kWarmup] = fmt::format("{}", rate.warmupSteps);
  }
  return metadata;
}

absl::StatusOr<RunRecord> readRunRecord(const Metadata& metadata) {
  Reader reader(metadata);
  RunRecord record;
  record.step = reader.integer(kStep, kMaxSteps).value_or(0);
  record.sample = reader.integer(kSample, kMaxSamples);
  record.batch = reader.integer(kBatch, kMaxSamples);
  record.seed = reader.unsignedInteger(kSeed);
  record.optimizer = reader.text(kOptimizer);
  for (const auto& [key, value] : metadata)
    if (key.rfind(kDataPrefix, 0) == 0)
      record.data[key.substr(sizeof kDataPrefix - 1)] = value;
  const auto schedule = reader.schedule(kSchedule);
  const auto numSteps = reader.integer(kNumSteps, kMaxSteps);
  const auto peak = reader.number(kPeak);
  const auto minimum = reader.number(kMinimum);
  const auto warmup = reader.integer(kWarmup, kMaxSteps);
  if (schedule && numSteps && peak && minimum && warmup)
    record.learningRate =
        LearningRate{*schedule, *peak, *minimum, *warmup, *numSteps};
  if (!reader.status().ok()) return reader.status();
  return record;
}

}  // namespace sbp::checkpoint
