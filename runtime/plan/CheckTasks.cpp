#include "runtime/plan/CheckTasks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "runtime/plan/Box.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::plan {
namespace {

using Kind = CollectiveTask::Kind;

/// What a transfer is at the end of a task of `kind`.
const Tensor& endOf(const Transfer& transfer, TransferTask::Kind kind) {
  switch (kind) {
    case TransferTask::Kind::kStartSend:
    case TransferTask::Kind::kFinishSend:
      return transfer.source;
    case TransferTask::Kind::kStartReceive:
    case TransferTask::Kind::kFinishReceive:
      return transfer.target;
  }
  return transfer.source;
}

/// Kinds whose result may take the place of the operand.
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

/// Checks that `part` is what falls to `rank` of an extent `whole`.
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

absl::Status checkKernelTask(const Plan& plan, int64_t arenaBytes,
                             const KernelTask& task) {
  if (task.kernel < 0 || task.kernel >= int64_t(plan.kernels.size()))
    return error("kernel {} of {}", task.kernel, plan.kernels.size());
  const Kernel& kernel = plan.kernels[task.kernel];
  const size_t numTensors = kernel.operands.size() + kernel.results.size();
  if (task.buffers.size() != numTensors &&
      task.buffers.size() != numTensors + 1)
    return error("{} buffers for the {} tensors of kernel \"{}\"",
                 task.buffers.size(), numTensors, kernel.name);
  for (size_t i = 0; i < task.buffers.size(); ++i) {
    int64_t bytes = 0;  // Nobody knows how large scratch memory is.
    if (i < numTensors) {
      const LocalType& type = i < kernel.operands.size()
                                  ? kernel.operands[i]
                                  : kernel.results[i - kernel.operands.size()];
      const auto known = tensorBytes(type.elementType, type.shape);
      if (!known)
        return error("kernel \"{}\" on {}, no tensor of at most {} bytes",
                     kernel.name, toString(type.elementType, type.shape),
                     kMaxArenaBytes);
      bytes = *known;
    }
    if (!isBufferWithin(task.buffers[i], bytes, 0, arenaBytes))
      return error("buffer {} of {} bytes in an arena of {}, alignment {}",
                   task.buffers[i], bytes, arenaBytes, kBufferAlignment);
  }
  return absl::OkStatus();
}

absl::Status checkTransferTask(const Plan& plan, const Entry& entry,
                               const std::vector<int64_t>& ranks,
                               int64_t arenaBytes, const TransferTask& task) {
  if (task.transfer < 0 || task.transfer >= int64_t(entry.transfers.size()))
    return error("transfer {} of {}", task.transfer, entry.transfers.size());
  const Tensor& end = endOf(entry.transfers[task.transfer], task.kind);
  for (int64_t rank : ranks) {
    const int64_t bytes = localBytes(plan.groupOf(end), end, rank);
    if (!isBufferWithin(task.buffer, bytes, 0, arenaBytes))
      return error("buffer {} of {} bytes in an arena of {}, alignment {}",
                   task.buffer, bytes, arenaBytes, kBufferAlignment);
  }
  return absl::OkStatus();
}

/// By task of `program` the block of a loop in which it stands, numbered
/// through all loops; none: -1.
std::vector<int64_t> blocksOfTasks(const EntryProgram& program) {
  std::vector<int64_t> blocks(program.tasks.size(), -1);
  int64_t number = 0;
  for (const Loop& loop : program.loops)
    for (const Loop::Block& block : blocksOf(loop)) {
      std::fill(blocks.begin() + block.first, blocks.begin() + block.last,
                number);
      ++number;
    }
  return blocks;
}

/// A collective in which others take part, and the block that it stands in.
struct Communicating {
  const CollectiveTask* task = nullptr;
  int64_t times = 1;
  int64_t block = -1;
};

/// Those over `axes` of `group`.
std::vector<Communicating> communicating(const EntryProgram& program,
                                         int64_t group,
                                         const std::vector<int64_t>& axes) {
  const std::vector<int64_t> times = timesOfTasks(program);
  const std::vector<int64_t> blocks = blocksOfTasks(program);
  std::vector<Communicating> result;
  for (size_t i = 0; i < program.tasks.size(); ++i) {
    const auto* collective = std::get_if<CollectiveTask>(&program.tasks[i]);
    if (!collective || collective->group != group || collective->axes != axes ||
        isLocal(collective->kind))
      continue;
    result.push_back({collective, times[i], blocks[i]});
  }
  return result;
}

/// How those of `collectives` of `program` run that stand in loops: of each its
/// number, and the time.
std::vector<std::pair<size_t, int64_t>> runsOf(
    const EntryProgram& program,
    const std::vector<Communicating>& collectives) {
  std::map<int64_t, std::vector<size_t>> byBlock;
  for (size_t i = 0; i < collectives.size(); ++i)
    byBlock[collectives[i].block].push_back(i);
  std::vector<std::pair<size_t, int64_t>> runs;
  int64_t firstBlock = 0;  // of the loop
  for (const Loop& loop : program.loops) {
    const auto numBlocks = int64_t(blocksOf(loop).size());
    const auto next = byBlock.lower_bound(firstBlock);
    // Loops that run very often are not gone through for nothing.
    if (next != byBlock.end() && next->first < firstBlock + numBlocks)
      for (const Loop::Run& run : runsOf(loop))
        if (const auto own = byBlock.find(firstBlock + run.block);
            own != byBlock.end())
          for (size_t collective : own->second)
            runs.emplace_back(collective, run.time);
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

}  // namespace

bool isBufferWithin(int64_t buffer, int64_t bytes, int64_t begin, int64_t end) {
  return buffer % kBufferAlignment == 0 && buffer >= begin && buffer <= end &&
         bytes <= end - buffer;
}

std::optional<int64_t> tensorBytes(ElementType type,
                                   const std::vector<int64_t>& shape) {
  // A zero extent must not hide another one that is out of bounds.
  int64_t bytes = byteWidth(type);
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0 || extent > kMaxArenaBytes) return std::nullopt;
    if (extent == 0) {
      isEmpty = true;
    } else if (__builtin_mul_overflow(bytes, extent, &bytes) ||
               bytes > kMaxArenaBytes) {
      return std::nullopt;
    }
  }
  return isEmpty ? 0 : bytes;
}

absl::Status checkTask(const Plan& plan, const Entry& entry,
                       const std::vector<int64_t>& ranks, int64_t arenaBytes,
                       const Task& task) {
  if (const auto* kernel = std::get_if<KernelTask>(&task))
    return checkKernelTask(plan, arenaBytes, *kernel);
  if (const auto* transfer = std::get_if<TransferTask>(&task))
    return checkTransferTask(plan, entry, ranks, arenaBytes, *transfer);
  const CollectiveTask& collective = std::get<CollectiveTask>(task);
  SBP_RETURN_IF_ERROR(checkAxes(plan, collective, ranks[0]));
  SBP_RETURN_IF_ERROR(checkBuffers(collective, arenaBytes));
  for (int64_t rank : ranks)
    SBP_RETURN_IF_ERROR(checkShapes(plan, collective, rank));
  return absl::OkStatus();
}

namespace {

/// The tasks of one end of a transfer on a rank.
struct EndTasks {
  int64_t task = 0;  // the last one, an index into EntryProgram::tasks
  int64_t numTasks = 0;
  int64_t times = 0;  // that they run, in all
};

/// The loop that `task` is in; null if it is in none.
const Loop* loopOf(const EntryProgram& program, int64_t task) {
  for (const Loop& loop : program.loops)
    if (task >= loop.first && task < loop.last) return &loop;
  return nullptr;
}

/// By time, where task `task` runs among the runs of `loop`; nothing where it
/// does not. Outside of a loop it runs for time 0.
std::vector<std::optional<int64_t>> placesOf(const Loop* loop, int64_t task) {
  if (!loop) return {0};
  const std::vector<Loop::Block> blocks = blocksOf(*loop);
  size_t block = 0;
  while (task >= blocks[block].last) ++block;
  const std::vector<Loop::Run> runs = runsOf(*loop);
  const auto positions = positionsOf(runs, int64_t(blocks.size()), loop->times);
  std::vector<std::optional<int64_t>> places;
  for (int64_t position : positions[block]) {
    places.emplace_back();
    if (position < 0) continue;
    // One that is ahead of its step runs in an earlier turn.
    places.back() =
        position - runs[position].ahead * static_cast<int64_t>(runs.size());
  }
  return places;
}

/// Checks that task `finish` runs for the times for which `start` does, and
/// behind it. Blocks of a loop may run in another order than they stand in.
absl::Status checkTimes(const EntryProgram& program, int64_t start,
                        int64_t finish) {
  const Loop* startLoop = loopOf(program, start);
  const Loop* finishLoop = loopOf(program, finish);
  auto starts = placesOf(startLoop, start);
  auto finishes = placesOf(finishLoop, finish);
  const size_t times = std::max(starts.size(), finishes.size());
  starts.resize(times);
  finishes.resize(times);
  for (size_t time = 0; time < times; ++time) {
    if (starts[time].has_value() != finishes[time].has_value())
      return error("for time {} {}", time,
                   starts[time] ? "started, but not finished"
                                : "finished, but not started");
    if (!starts[time]) continue;
    const bool areApart =
        startLoop == finishLoop && starts[time] != finishes[time];
    if (areApart ? *finishes[time] < *starts[time] : finish < start)
      return error("finished by task {}, started by task {}, for time {}",
                   finish, start, time);
  }
  return absl::OkStatus();
}

/// Checks that `start` and `finish`, which run as often as the transfer goes,
/// run once for each time of it, the start first, and that no parameter changes
/// between them: a step may end there, and another one begin.
absl::Status checkOrder(const EndTasks& start, const EndTasks& finish,
                        const EntryProgram& program) {
  const int64_t firstUpdate = program.firstUpdate;
  for (const EndTasks* end : {&start, &finish})
    if (end->numTasks > 1)
      return error("{} tasks, whose times are one loop's, or one",
                   end->numTasks);
  if (start.numTasks == 0) return absl::OkStatus();
  const bool isLate =
      program.firstLate >= 0 && finish.task >= program.firstLate;
  if (!isLate && (start.task < firstUpdate) != (finish.task < firstUpdate))
    return error("under way, from task {} to {}, at the first update, {}",
                 start.task, finish.task, firstUpdate);
  return checkTimes(program, start.task, finish.task);
}

}  // namespace

absl::Status checkTransferEnds(const Plan& plan, const Entry& entry,
                               const Program& program,
                               const EntryProgram& entryProgram) {
  using EndKind = TransferTask::Kind;
  const std::vector<int64_t> times = timesOfTasks(entryProgram);
  std::map<std::pair<int64_t, EndKind>, EndTasks> ends;
  for (size_t i = 0; i < entryProgram.tasks.size(); ++i)
    if (const auto* task = std::get_if<TransferTask>(&entryProgram.tasks[i])) {
      EndTasks& end = ends[{task->transfer, task->kind}];
      end.task = int64_t(i);
      ++end.numTasks;
      end.times += times[i];
    }
  for (size_t i = 0; i < entry.transfers.size(); ++i) {
    for (EndKind kind : {EndKind::kStartSend, EndKind::kFinishSend,
                         EndKind::kStartReceive, EndKind::kFinishReceive}) {
      const Tensor& end = endOf(entry.transfers[i], kind);
      const bool isThere = plan.groupOf(end).has(program.ranks[0]);
      const int64_t wanted = isThere ? entry.transfers[i].times : 0;
      const int64_t found = ends[{int64_t(i), kind}].times;
      if (found != wanted)
        return error("transfer {} of \"{}\": {} {} times on rank {}, not {}", i,
                     end.name, toString(kind), found, program.ranks[0], wanted);
    }
    for (const auto& [start, finish] :
         {std::pair(EndKind::kStartSend, EndKind::kFinishSend),
          std::pair(EndKind::kStartReceive, EndKind::kFinishReceive)}) {
      const absl::Status status = checkOrder(
          ends[{int64_t(i), start}], ends[{int64_t(i), finish}], entryProgram);
      if (!status.ok())
        return error("transfer {} of \"{}\": {} on rank {}: {}", i,
                     endOf(entry.transfers[i], start).name, toString(start),
                     program.ranks[0], textOf(status));
    }
  }
  return absl::OkStatus();
}

namespace {

/// The loops of `program` whose order messages decide, on `group`.
std::vector<const Loop*> loopsByMessages(const EntryProgram& program,
                                         int64_t group) {
  std::vector<const Loop*> loops;
  for (const Loop& loop : program.loops)
    if (loop.messages && loop.messages->agreement.group == group)
      loops.push_back(&loop);
  return loops;
}

/// Checks that ranks that agree on blocks mean the same by them.
absl::Status checkSameMessages(const Program& left, const Program& right,
                               int64_t group, size_t entry) {
  const auto leftLoops = loopsByMessages(left.entries[entry], group);
  const auto rightLoops = loopsByMessages(right.entries[entry], group);
  const auto areSame = [](const Loop* a, const Loop* b) {
    const auto numBlocks = int64_t(a->blocks.size());
    if (a->messages->urgencies != b->messages->urgencies ||
        a->times != b->times || numBlocks != int64_t(b->blocks.size()))
      return false;
    std::vector<std::vector<int64_t>> times(2 * numBlocks);
    for (const Loop::Run& run : a->order) times[run.block].push_back(run.time);
    for (const Loop::Run& run : b->order)
      times[numBlocks + run.block].push_back(run.time);
    return std::equal(times.begin(), times.begin() + numBlocks,
                      times.begin() + numBlocks);
  };
  if (leftLoops.size() == rightLoops.size() &&
      std::equal(leftLoops.begin(), leftLoops.end(), rightLoops.begin(),
                 areSame))
    return absl::OkStatus();
  return error(
      "ranks {} and {} agree on blocks that are not the same, or not for the "
      "same times",
      left.ranks[0], right.ranks[0]);
}

/// The axes of `group` over which tasks of entry number `entry` communicate.
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

/// Whether a rank of one program and one of the other are members of a
/// collective over `axes` of `group`: they differ in these coordinates alone.
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

/// Checks that ranks that meet in collectives over `axes` come to the same
/// ones.
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
    if (leftTasks[i].times != rightTasks[i].times)
      return error(
          "collective {} runs {} times on rank {} and {} times on rank {}", i,
          leftTasks[i].times, left.ranks[0], rightTasks[i].times,
          right.ranks[0]);
  }
  const auto leftRuns = runsOf(left.entries[entry], leftTasks);
  const auto rightRuns = runsOf(right.entries[entry], rightTasks);
  // A loop of one time may be none elsewhere.
  for (size_t i = 0; i < std::min(leftRuns.size(), rightRuns.size()); ++i)
    if (leftRuns[i] != rightRuns[i])
      return error(
          "rank {} comes to collective {} for time {}, rank {} to {} for time "
          "{}",
          left.ranks[0], leftRuns[i].first, leftRuns[i].second, right.ranks[0],
          rightRuns[i].first, rightRuns[i].second);
  return absl::OkStatus();
}

}  // namespace

absl::Status checkSameCollectives(const Plan& plan, int64_t group,
                                  size_t entry) {
  std::vector<const Program*> programs;  // of ranks of the group
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
