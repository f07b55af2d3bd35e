#include "runtime/calibration/Measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/SampleTask.h"
#include "runtime/status/Status.h"

namespace sbp::calibration {
namespace {

using communication::Communicator;
using communication::PreparedCollective;

constexpr Kind kKinds[] = {Kind::kAllReduce, Kind::kAllGather,
                           Kind::kReduceScatter, Kind::kAllToAll};

/// Target duration of a batch: long compared with the differences between the
/// times at which ranks leave a barrier.
constexpr double kBatchSeconds = 2e-3;
constexpr int64_t kMostRounds = 10000;
constexpr int64_t kLeastRounds = 5;

/// Replaces a time that noise has made zero or negative.
constexpr double kLeastSeconds = 1e-9;

/// A collective that is measured, with the times so far.
struct Trial {
  Sample sample;
  std::shared_ptr<const PreparedCollective> collective;
  int64_t writtenBytes = 0;
  int64_t numRounds = 1;
  std::vector<double> moving, writing;  // seconds, by batch
};

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Returns the lower quartile of `values`. Disturbances (other processes, a
/// rank that is descheduled) only ever add time, so the measurement relies on a
/// quarter of the batches being undisturbed.
double lowerQuartile(std::vector<double> values) {
  auto quarter = values.begin() + values.size() / 4;
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

/// Prepares the collective `kind` in `group` on a tensor of about `size` bytes.
absl::StatusOr<Trial> makeTrial(const Communicator& communicator, int64_t level,
                                Kind kind, const GroupSize& group,
                                int64_t size) {
  // Programs reduce in place wherever the terms are not needed again.
  const plan::CollectiveTask task =
      communication::sampleTask(kind, group.axes, group.members, size,
                                /*isInPlace=*/kind == Kind::kAllReduce);
  Trial trial;
  SBP_ASSIGN_OR_RETURN(trial.collective, communicator.prepare({task}));
  const communication::PreparedTensor& tensor =
      trial.collective->tensors.front();
  trial.writtenBytes = tensor.inBytes;
  trial.sample = {level, kind, group.members,
                  std::max(tensor.inBytes, tensor.outBytes), 0};
  return trial;
}

/// Prepares a trial for every combination of level, kind, group and size,
/// ordered by these in this order. If there are several levels, trials of the
/// group of all ranks follow, as if it were a further level.
absl::StatusOr<std::vector<Trial>> makeTrials(
    const Communicator& communicator, const Grid& grid,
    const std::vector<int64_t>& sizes) {
  std::vector<std::vector<GroupSize>> groups;  // by level
  for (const Level& level : grid.levels) groups.push_back(level.groups);
  if (grid.levels.size() > 1) groups.push_back({grid.everyone});
  std::vector<Trial> trials;
  for (size_t level = 0; level < groups.size(); ++level) {
    for (Kind kind : kKinds) {
      for (const GroupSize& group : groups[level]) {
        for (int64_t size : sizes) {
          SBP_ASSIGN_OR_RETURN(
              trials.emplace_back(),
              makeTrial(communicator, static_cast<int64_t>(level), kind, group,
                        size));
        }
      }
    }
  }
  return trials;
}

/// Runs one round: writes the tensor and, if `moves`, runs the collective.
absl::Status runRound(Communicator& communicator, const Trial& trial,
                      int64_t round, bool moves) {
  std::memset(communicator.arena(), static_cast<int>(round & 0x3f),
              trial.writtenBytes);
  asm volatile("" ::: "memory");
  if (!moves) return absl::OkStatus();
  return communicator.run(*trial.collective, trial.collective->buffers);
}

/// Returns the seconds that this rank takes for `numRounds` rounds. One round
/// before them is not timed: after a barrier all groups begin at once, and
/// groups that share a link wait for each other. In later rounds, as in a
/// program, the groups alternate between computing and using the link.
absl::StatusOr<double> timeBatch(Communicator& communicator, const Trial& trial,
                                 int64_t numRounds, bool moves) {
  SBP_RETURN_IF_ERROR(communicator.barrier());
  SBP_RETURN_IF_ERROR(runRound(communicator, trial, 0, moves));
  const double begin = secondsNow();
  for (int64_t round = 1; round <= numRounds; ++round) {
    SBP_RETURN_IF_ERROR(runRound(communicator, trial, round, moves));
  }
  return secondsNow() - begin;
}

/// Returns, for each index, the greatest value that any rank has in `mine`.
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

/// Sets the number of rounds in a batch of each trial. Also warms up the
/// trials.
absl::Status chooseRounds(Communicator& communicator,
                          std::vector<Trial>& trials) {
  std::vector<double> seconds;
  for (const Trial& trial : trials) {
    SBP_RETURN_IF_ERROR(timeBatch(communicator, trial, 1, true).status());
    SBP_ASSIGN_OR_RETURN(double taken, timeBatch(communicator, trial, 3, true));
    seconds.push_back(taken / 3);
  }
  SBP_ASSIGN_OR_RETURN(seconds, greatestOfRanks(communicator, seconds));
  for (size_t i = 0; i < trials.size(); ++i) {
    trials[i].numRounds =
        std::clamp(static_cast<int64_t>(kBatchSeconds / seconds[i]),
                   kLeastRounds, kMostRounds);
  }
  return absl::OkStatus();
}

/// Runs one batch of every trial, with and without the collective, and records
/// the time of the slowest rank.
absl::Status addBatches(Communicator& communicator,
                        std::vector<Trial>& trials) {
  std::vector<double> moving, writing;
  for (const Trial& trial : trials) {
    SBP_ASSIGN_OR_RETURN(double both,
                         timeBatch(communicator, trial, trial.numRounds, true));
    SBP_ASSIGN_OR_RETURN(
        double alone, timeBatch(communicator, trial, trial.numRounds, false));
    moving.push_back(both);
    writing.push_back(alone);
  }
  SBP_ASSIGN_OR_RETURN(moving, greatestOfRanks(communicator, moving));
  SBP_ASSIGN_OR_RETURN(writing, greatestOfRanks(communicator, writing));
  for (size_t i = 0; i < trials.size(); ++i) {
    trials[i].moving.push_back(moving[i]);
    trials[i].writing.push_back(writing[i]);
  }
  communicator.noteStep();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Sample>> measureCollectives(
    Communicator& communicator, const Grid& grid,
    const std::vector<int64_t>& sizes, int64_t numRepetitions) {
  SBP_ASSIGN_OR_RETURN(std::vector<Trial> trials,
                       makeTrials(communicator, grid, sizes));
  SBP_RETURN_IF_ERROR(chooseRounds(communicator, trials));
  for (int64_t i = 0; i < numRepetitions; ++i) {
    SBP_RETURN_IF_ERROR(addBatches(communicator, trials));
  }
  std::vector<Sample> samples;
  for (Trial& trial : trials) {
    const double batch = lowerQuartile(std::move(trial.moving)) -
                         lowerQuartile(std::move(trial.writing));
    samples.push_back(trial.sample);
    samples.back().seconds =
        std::max(batch / static_cast<double>(trial.numRounds), kLeastSeconds);
  }
  return samples;
}

}  // namespace sbp::calibration
