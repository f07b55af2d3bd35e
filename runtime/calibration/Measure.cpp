#include "runtime/calibration/Measure.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "runtime/calibration/RankTimes.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/SampleTask.h"
#include "runtime/device/Access.h"
#include "runtime/device/Device.h"
#include "runtime/status/Status.h"

namespace sbp::calibration {
namespace {

using communication::PreparedCollective;
using execute::Rank;

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
  int64_t inBytes = 0, outBytes = 0;
  int64_t numRounds = 1;
  std::vector<double> moving, writing;  // seconds, by batch
};

/// Returns the groups of each level, outermost first. If there are several
/// levels, the group of all ranks follows, as if it were a further level.
std::vector<std::vector<GroupSize>> groupsByLevel(const Grid& grid) {
  std::vector<std::vector<GroupSize>> groups;
  for (const Level& level : grid.levels) groups.push_back(level.groups);
  if (grid.levels.size() > 1) groups.push_back({grid.everyone});
  return groups;
}

/// Returns the collective `kind` in `group` on a tensor of about `size` bytes.
plan::CollectiveTask taskOf(Kind kind, const GroupSize& group, int64_t size) {
  // Programs reduce in place wherever the terms are not needed again.
  return communication::sampleTask(kind, group.axes, group.members, size,
                                   /*isInPlace=*/kind == Kind::kAllReduce);
}

/// Prepares the collective `kind` in `group` on a tensor of about `size` bytes.
absl::StatusOr<Trial> makeTrial(const Rank& rank, int64_t level, Kind kind,
                                const GroupSize& group, int64_t size) {
  Trial trial;
  SBP_ASSIGN_OR_RETURN(trial.collective,
                       rank.collectives.prepare({taskOf(kind, group, size)}));
  const communication::PreparedTensor& tensor =
      trial.collective->tensors.front();
  trial.inBytes = tensor.inBytes;
  trial.outBytes = tensor.outBytes;
  trial.sample = {level, kind, group.members,
                  std::max(tensor.inBytes, tensor.outBytes), 0};
  return trial;
}

/// Prepares a trial for every combination of level, kind, group and size,
/// ordered by these in this order.
absl::StatusOr<std::vector<Trial>> makeTrials(
    const Rank& rank, const Grid& grid, const std::vector<int64_t>& sizes) {
  const std::vector<std::vector<GroupSize>> groups = groupsByLevel(grid);
  std::vector<Trial> trials;
  for (size_t level = 0; level < groups.size(); ++level) {
    for (Kind kind : kKinds) {
      for (const GroupSize& group : groups[level]) {
        for (int64_t size : sizes) {
          SBP_ASSIGN_OR_RETURN(
              trials.emplace_back(),
              makeTrial(rank, static_cast<int64_t>(level), kind, group, size));
        }
      }
    }
  }
  return trials;
}

/// Runs one round: writes the tensor and, if `moves`, runs the collective.
absl::Status runRound(const Rank& rank, const Trial& trial, bool moves) {
  using device::Queue;
  const communication::CollectiveBuffers& buffers =
      trial.collective->buffers.front();
  const device::Access written = {buffers.in, trial.inBytes, /*isWrite=*/true};
  SBP_RETURN_IF_ERROR(rank.device.startRun(Queue::kCompute, {written}));
  SBP_RETURN_IF_ERROR(rank.device.clear(buffers.in, trial.inBytes));
  if (!moves) return absl::OkStatus();
  const device::Access read = {buffers.in, trial.inBytes, /*isWrite=*/false};
  const device::Access result = {buffers.out, trial.outBytes, /*isWrite=*/true};
  SBP_RETURN_IF_ERROR(
      rank.device.startRun(Queue::kCommunicate, {read, result}));
  return rank.collectives.run(*trial.collective, trial.collective->buffers);
}

/// Returns the seconds that this rank takes for `numRounds` rounds. One round
/// before them is not timed: after a barrier all groups begin at once, and
/// groups that share a link wait for each other. In later rounds, as in a
/// program, the groups alternate between computing and using the link.
absl::StatusOr<double> timeBatch(const Rank& rank, const Trial& trial,
                                 int64_t numRounds, bool moves) {
  SBP_RETURN_IF_ERROR(rank.communicator.barrier());
  SBP_RETURN_IF_ERROR(runRound(rank, trial, moves));
  SBP_RETURN_IF_ERROR(rank.device.wait());
  const double begin = secondsNow();
  for (int64_t round = 0; round < numRounds; ++round) {
    SBP_RETURN_IF_ERROR(runRound(rank, trial, moves));
  }
  SBP_RETURN_IF_ERROR(rank.device.wait());
  return secondsNow() - begin;
}

/// Sets the number of rounds in a batch of each trial. Also warms up the
/// trials.
absl::Status chooseRounds(const Rank& rank, std::vector<Trial>& trials) {
  std::vector<double> seconds;
  for (const Trial& trial : trials) {
    SBP_RETURN_IF_ERROR(timeBatch(rank, trial, 1, true).status());
    SBP_ASSIGN_OR_RETURN(double taken, timeBatch(rank, trial, 3, true));
    seconds.push_back(taken / 3);
  }
  SBP_ASSIGN_OR_RETURN(seconds, greatestOfRanks(rank.communicator, seconds));
  for (size_t i = 0; i < trials.size(); ++i) {
    trials[i].numRounds =
        std::clamp(static_cast<int64_t>(kBatchSeconds / seconds[i]),
                   kLeastRounds, kMostRounds);
  }
  return absl::OkStatus();
}

/// Runs one batch of every trial, with and without the collective, and records
/// the time of the slowest rank.
absl::Status addBatches(const Rank& rank, std::vector<Trial>& trials) {
  std::vector<double> moving, writing;
  for (const Trial& trial : trials) {
    SBP_ASSIGN_OR_RETURN(double both,
                         timeBatch(rank, trial, trial.numRounds, true));
    SBP_ASSIGN_OR_RETURN(double alone,
                         timeBatch(rank, trial, trial.numRounds, false));
    moving.push_back(both);
    writing.push_back(alone);
  }
  SBP_ASSIGN_OR_RETURN(moving, greatestOfRanks(rank.communicator, moving));
  SBP_ASSIGN_OR_RETURN(writing, greatestOfRanks(rank.communicator, writing));
  for (size_t i = 0; i < trials.size(); ++i) {
    trials[i].moving.push_back(moving[i]);
    trials[i].writing.push_back(writing[i]);
  }
  rank.communicator.noteStep();
  return absl::OkStatus();
}

}  // namespace

std::vector<plan::CollectiveTask> largestCollectives(const Grid& grid,
                                                     int64_t size) {
  std::vector<plan::CollectiveTask> tasks;
  for (const std::vector<GroupSize>& level : groupsByLevel(grid))
    for (Kind kind : kKinds)
      for (const GroupSize& group : level)
        tasks.push_back(taskOf(kind, group, size));
  return tasks;
}

absl::StatusOr<std::vector<Sample>> measureCollectives(
    const Rank& rank, const Grid& grid, const std::vector<int64_t>& sizes,
    int64_t numRepetitions) {
  SBP_ASSIGN_OR_RETURN(std::vector<Trial> trials,
                       makeTrials(rank, grid, sizes));
  SBP_RETURN_IF_ERROR(chooseRounds(rank, trials));
  for (int64_t i = 0; i < numRepetitions; ++i) {
    SBP_RETURN_IF_ERROR(addBatches(rank, trials));
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
