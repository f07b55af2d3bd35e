#include "runtime/plan/CheckCollectives.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runtime/plan/Box.h"
#include "runtime/plan/Buckets.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/CheckTasks.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::plan {
namespace {

using Kind = CollectiveTask::Kind;

/// Whether the result of `kind` may overwrite the operand.
bool mayBeInPlace(Kind kind) {
  return kind == Kind::kAllReduce || kind == Kind::kToPartial;
}

std::string typeOf(const CollectiveTask& task,
                   const std::vector<int64_t>& shape) {
  return toString(task.elementType, shape);
}

absl::Status checkAxes(const Plan& plan, const CollectiveTask& task,
                       int64_t rank) {
  if (task.group < 0 || task.group >= int64_t(plan.groups.size()))
    return error("group {} of {}", task.group, plan.groups.size());
  const Group& group = plan.groups[task.group];
  if (!group.has(rank))
    return error("rank {} is not of group \"{}\"", rank, group.name);
  for (size_t i = 0; i < task.axes.size(); ++i) {
    if (task.axes[i] < 0 || task.axes[i] >= int64_t(group.axes.size()))
      return error("axis {} of a group of {} axes", task.axes[i],
                   group.axes.size());
    if (i > 0 && task.axes[i] <= task.axes[i - 1])
      return error("axis {} after axis {}: they must ascend", task.axes[i],
                   task.axes[i - 1]);
  }
  return absl::OkStatus();
}

/// Checks that `part` is the extent that `rank` holds of an extent `whole`.
absl::Status checkPart(const Plan& plan, const CollectiveTask& task,
                       int64_t rank, int64_t dim, int64_t part, int64_t whole) {
  const Group& group = plan.groups[task.group];
  const Range range =
      nestedPart(group, task.axes, coordinatesOf(group, rank), whole);
  if (range.size == part) return absl::OkStatus();
  return error(
      "rank {} has {} of {} along dimension {}; its part of the group is {}",
      rank, part, whole, dim, range.size);
}

absl::Status checkShapes(const Plan& plan, const CollectiveTask& task,
                         int64_t rank) {
  const auto& in = task.inShape;
  const auto& out = task.outShape;
  if (task.kind == Kind::kOffset) {
    if (!out.empty() || task.elementType != ElementType::kI64)
      return error("writes {}, not an i64 scalar", typeOf(task, out));
    if (task.extent < 0 || task.extent > kMaxArenaBytes)
      return error("extent {}", task.extent);
    return absl::OkStatus();
  }
  const bool isCut =
      task.kind != Kind::kAllReduce && task.kind != Kind::kToPartial;
  const bool cutsTwo = task.kind == Kind::kAllToAll;
  const int64_t numDims = int64_t(in.size());
  bool areAlike = in.size() == out.size();
  for (int64_t dim = 0; areAlike && dim < numDims; ++dim) {
    const bool mayDiffer =
        (isCut && dim == task.dim) || (cutsTwo && dim == task.splitDim);
    areAlike = mayDiffer || in[dim] == out[dim];
  }
  if (!areAlike)
    return error("turns {} into {}", typeOf(task, in), typeOf(task, out));
  if (!isCut) return absl::OkStatus();
  if (task.dim < 0 || task.dim >= numDims)
    return error("dimension {} of {}", task.dim, typeOf(task, in));
  const int64_t dim = task.dim;
  switch (task.kind) {
    case Kind::kHaloExchange:
      if (task.low < 0 || task.high < 0 || task.extent < 0 ||
          task.extent > kMaxArenaBytes || task.low > kMaxArenaBytes ||
          task.high > kMaxArenaBytes)
        return error("widens parts of {} by {} and {}", task.extent, task.low,
                     task.high);
      if (out[dim] != task.low + in[dim] + task.high)
        return error("widens {} by {} and {} to {}", typeOf(task, in), task.low,
                     task.high, typeOf(task, out));
      return checkPart(plan, task, rank, dim, in[dim], task.extent);
    case Kind::kAllGather:
    case Kind::kPad:
      return checkPart(plan, task, rank, dim, in[dim], out[dim]);
    case Kind::kReduceScatter:
    case Kind::kSlice:
      return checkPart(plan, task, rank, dim, out[dim], in[dim]);
    default:
      break;
  }
  const int64_t splitDim = task.splitDim;
  if (splitDim < 0 || splitDim >= numDims || splitDim == dim)
    return error("splits dimension {} and gathers dimension {} of {}", splitDim,
                 dim, typeOf(task, in));
  SBP_RETURN_IF_ERROR(checkPart(plan, task, rank, dim, in[dim], out[dim]));
  return checkPart(plan, task, rank, splitDim, out[splitDim], in[splitDim]);
}

absl::Status checkBuffers(const CollectiveTask& task, int64_t arenaBytes) {
  const auto inBytes = tensorBytes(task.elementType, task.inShape);
  const auto outBytes = tensorBytes(task.elementType, task.outShape);
  if (!inBytes || !outBytes)
    return error("a tensor of {} or {} is no tensor of at most {} bytes",
                 typeOf(task, task.inShape), typeOf(task, task.outShape),
                 kMaxArenaBytes);
  if (!isBufferWithin(task.out, *outBytes, 0, arenaBytes))
    return error("buffer {} of {} bytes in an arena of {}", task.out, *outBytes,
                 arenaBytes);
  if (task.kind == Kind::kOffset) return absl::OkStatus();
  if (!isBufferWithin(task.in, *inBytes, 0, arenaBytes))
    return error("buffer {} of {} bytes in an arena of {}", task.in, *inBytes,
                 arenaBytes);
  if (task.in == task.out && mayBeInPlace(task.kind)) return absl::OkStatus();
  if (*inBytes > 0 && *outBytes > 0 && task.in < task.out + *outBytes &&
      task.out < task.in + *inBytes)
    return error("buffers {} of {} bytes and {} of {} bytes overlap", task.in,
                 *inBytes, task.out, *outBytes);
  return absl::OkStatus();
}

/// A collective that involves other ranks, and the block in which it stands.
struct Communicating {
  const CollectiveTask* task = nullptr;
  int64_t numInBucket = 0;  // size of the bucket that it begins; 0 if it is not
                            // the first of its bucket
  int64_t numRuns = 1;
  int64_t block = -1;
};

/// Returns the communicating collectives over `axes` of `group`.
std::vector<Communicating> communicating(const EntryProgram& program,
                                         int64_t group,
                                         const std::vector<int64_t>& axes) {
  const std::vector<int64_t> numRuns = numRunsOfTasks(program);
  const std::vector<int64_t> blocks = blocksOfTasks(program);
  std::vector<Communicating> result;
  const auto numTasks = int64_t(program.tasks.size());
  int64_t end = 0;  // end of the current bucket
  for (int64_t i = 0; i < numTasks; ++i) {
    const bool isFirst = i == end;
    if (isFirst) end = bucketEnd(program.tasks, i);
    const auto* collective = std::get_if<CollectiveTask>(&program.tasks[i]);
    if (!collective || collective->group != group || collective->axes != axes ||
        isLocal(collective->kind))
      continue;
    result.push_back(
        {collective, isFirst ? end - i : 0, numRuns[i], blocks[i]});
  }
  return result;
}

/// Returns the runs, in order, of the `collectives` that stand in loops: the
/// index of the collective, and the micro-batch.
std::vector<std::pair<size_t, int64_t>> runsOf(
    const EntryProgram& program,
    const std::vector<Communicating>& collectives) {
  std::map<int64_t, std::vector<size_t>> byBlock;
  for (size_t i = 0; i < collectives.size(); ++i)
    byBlock[collectives[i].block].push_back(i);
  std::vector<std::pair<size_t, int64_t>> runs;
  int64_t firstBlock = 0;  // first block of the loop
  for (const Loop& loop : program.loops) {
    const auto numBlocks = int64_t(blocksOf(loop).size());
    const auto next = byBlock.lower_bound(firstBlock);
    // A loop without such collectives is skipped: it may run very often.
    if (next != byBlock.end() && next->first < firstBlock + numBlocks)
      for (const Loop::BlockRun& run : runsOf(loop))
        if (const auto own = byBlock.find(firstBlock + run.block);
            own != byBlock.end())
          for (size_t collective : own->second)
            runs.emplace_back(collective, run.microBatch);
    firstBlock += numBlocks;
  }
  return runs;
}

bool areAlike(const CollectiveTask& left, const CollectiveTask& right) {
  return left.kind == right.kind && left.axes == right.axes &&
         left.elementType == right.elementType &&
         left.reduction == right.reduction && left.dim == right.dim &&
         left.splitDim == right.splitDim && left.extent == right.extent &&
         left.low == right.low && left.high == right.high;
}

/// Returns the loops of `program` that run message-driven on `group`.
std::vector<const Loop*> loopsByMessages(const EntryProgram& program,
                                         int64_t group) {
  std::vector<const Loop*> loops;
  for (const Loop& loop : program.loops)
    if (loop.messages && loop.messages->agreement.group == group)
      loops.push_back(&loop);
  return loops;
}

/// Checks that the message-driven loops of two programs have the same blocks,
/// with the same urgencies and the same order of micro-batches.
absl::Status checkSameMessages(const Program& left, const Program& right,
                               int64_t group, size_t entry) {
  const auto leftLoops = loopsByMessages(left.entries[entry], group);
  const auto rightLoops = loopsByMessages(right.entries[entry], group);
  const auto areSame = [](const Loop* a, const Loop* b) {
    const auto numBlocks = int64_t(a->blocks.size());
    if (a->messages->urgencies != b->messages->urgencies ||
        a->numMicroBatches != b->numMicroBatches ||
        numBlocks != int64_t(b->blocks.size()))
      return false;
    std::vector<std::vector<int64_t>> microBatches(2 * numBlocks);
    for (const Loop::BlockRun& run : a->order)
      microBatches[run.block].push_back(run.microBatch);
    for (const Loop::BlockRun& run : b->order)
      microBatches[numBlocks + run.block].push_back(run.microBatch);
    return std::equal(microBatches.begin(), microBatches.begin() + numBlocks,
                      microBatches.begin() + numBlocks);
  };
  if (leftLoops.size() == rightLoops.size() &&
      std::equal(leftLoops.begin(), leftLoops.end(), rightLoops.begin(),
                 areSame))
    return absl::OkStatus();
  return error(
      "ranks {} and {} agree on blocks that are not the same, or not for the "
      "same micro-batches",
      left.ranks[0], right.ranks[0]);
}

/// Returns the sets of axes of `group` over which the programs communicate in
/// entry `entry`.
std::set<std::vector<int64_t>> axesOf(
    const std::vector<const Program*>& programs, int64_t group, size_t entry) {
  std::set<std::vector<int64_t>> axes;
  for (const Program* program : programs)
    for (const Task& task : program->entries[entry].tasks)
      if (const auto* collective = std::get_if<CollectiveTask>(&task);
          collective && collective->group == group &&
          !isLocal(collective->kind))
        axes.insert(collective->axes);
  return axes;
}

/// Whether a rank of `left` and a rank of `right` are members of the same
/// collective over `axes` of `group`: their other coordinates are equal.
bool meet(const Program& left, const Program& right, const Group& group,
          const std::vector<int64_t>& axes) {
  const auto others = [&](const Program& program) {
    std::set<std::vector<int64_t>> all;
    for (int64_t rank : program.ranks) {
      std::vector<int64_t> coordinates = coordinatesOf(group, rank);
      for (int64_t axis : axes) coordinates[axis] = 0;
      all.insert(std::move(coordinates));
    }
    return all;
  };
  const auto leftOthers = others(left), rightOthers = others(right);
  return std::any_of(leftOthers.begin(), leftOthers.end(),
                     [&](const std::vector<int64_t>& coordinates) {
                       return rightOthers.count(coordinates) > 0;
                     });
}

/// Checks that two programs, whose ranks are members of the same collectives
/// over `axes`, have the same sequence of these collectives.
absl::Status checkSameCollectives(const Program& left, const Program& right,
                                  int64_t group,
                                  const std::vector<int64_t>& axes,
                                  size_t entry) {
  const auto leftTasks = communicating(left.entries[entry], group, axes);
  const auto rightTasks = communicating(right.entries[entry], group, axes);
  if (leftTasks.size() != rightTasks.size())
    return error("rank {} takes part in {} collectives, rank {} in {}",
                 left.ranks[0], leftTasks.size(), right.ranks[0],
                 rightTasks.size());
  for (size_t i = 0; i < leftTasks.size(); ++i) {
    if (!areAlike(*leftTasks[i].task, *rightTasks[i].task))
      return error(
          "collective {} is an {} on rank {} and another {} on rank {}", i,
          toString(leftTasks[i].task->kind), left.ranks[0],
          toString(rightTasks[i].task->kind), right.ranks[0]);
    if (leftTasks[i].numInBucket != rightTasks[i].numInBucket)
      return error(
          "from collective {} on, {} travel together on rank {} and {} on rank "
          "{}",
          i, leftTasks[i].numInBucket, left.ranks[0], rightTasks[i].numInBucket,
          right.ranks[0]);
    if (leftTasks[i].numRuns != rightTasks[i].numRuns)
      return error(
          "collective {} runs {} times on rank {} and {} times on rank {}", i,
          leftTasks[i].numRuns, left.ranks[0], rightTasks[i].numRuns,
          right.ranks[0]);
  }
  const auto leftRuns = runsOf(left.entries[entry], leftTasks);
  const auto rightRuns = runsOf(right.entries[entry], rightTasks);
  // Compares only the common prefix of the two lists: where one program has a
  // loop of one micro-batch, the other may have no loop.
  for (size_t i = 0; i < std::min(leftRuns.size(), rightRuns.size()); ++i)
    if (leftRuns[i] != rightRuns[i])
      return error(
          "rank {} comes to collective {} for micro-batch {}, rank {} to {} "
          "for micro-batch {}",
          left.ranks[0], leftRuns[i].first, leftRuns[i].second, right.ranks[0],
          rightRuns[i].first, rightRuns[i].second);
  return absl::OkStatus();
}

}  // namespace

absl::Status checkCollectiveTask(const Plan& plan,
                                 const std::vector<int64_t>& ranks,
                                 int64_t arenaBytes,
                                 const CollectiveTask& task) {
  SBP_RETURN_IF_ERROR(checkAxes(plan, task, ranks[0]));
  SBP_RETURN_IF_ERROR(checkBuffers(task, arenaBytes));
  for (int64_t rank : ranks) SBP_RETURN_IF_ERROR(checkShapes(plan, task, rank));
  return absl::OkStatus();
}

absl::Status checkSameCollectives(const Plan& plan, int64_t group,
                                  size_t entry) {
  std::vector<const Program*> programs;  // programs of ranks in the group
  for (const Program& program : plan.programs)
    if (plan.groups[group].has(program.ranks[0])) programs.push_back(&program);
  for (const Program* program : programs)
    SBP_RETURN_IF_ERROR(
        checkSameMessages(*programs.front(), *program, group, entry));
  for (const std::vector<int64_t>& axes : axesOf(programs, group, entry))
    for (size_t right = 1; right < programs.size(); ++right)
      for (size_t left = 0; left < right; ++left)
        if (meet(*programs[left], *programs[right], plan.groups[group], axes))
          SBP_RETURN_IF_ERROR(checkSameCollectives(
              *programs[left], *programs[right], group, axes, entry));
  return absl::OkStatus();
}

}  // namespace sbp::plan
