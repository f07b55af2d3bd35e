#include "runtime/plan/CheckTasks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "runtime/plan/Box.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/CheckCollectives.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::plan {
namespace {

/// Returns the tensor at the end of `transfer` that tasks of `kind` handle.
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

absl::Status checkKernelTask(const Plan& plan, int64_t arenaBytes,
                             const KernelTask& task) {
  if (task.kernel < 0 || task.kernel >= int64_t(plan.kernels.size()))
    return error("kernel {} of {}", task.kernel, plan.kernels.size());
  const Kernel& kernel = plan.kernels[task.kernel];
  const size_t numTensors = kernel.operands.size() + kernel.results.size();
  const bool hasScratch = kernel.scratchBytes > 0;
  if (task.buffers.size() != numTensors + hasScratch)
    return error("{} buffers for the {} tensors of kernel \"{}\"{}",
                 task.buffers.size(), numTensors, kernel.name,
                 hasScratch ? " and its scratch memory" : "");
  for (size_t i = 0; i < task.buffers.size(); ++i) {
    int64_t bytes = kernel.scratchBytes;
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

}  // namespace

bool isBufferWithin(int64_t buffer, int64_t bytes, int64_t begin, int64_t end) {
  return buffer % kBufferAlignment == 0 && buffer >= begin && buffer <= end &&
         bytes <= end - buffer;
}

std::optional<int64_t> tensorBytes(ElementType type,
                                   const std::vector<int64_t>& shape) {
  // An extent of 0 must not hide another extent that is out of bounds.
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
  return checkCollectiveTask(plan, ranks, arenaBytes,
                             std::get<CollectiveTask>(task));
}

namespace {

/// The tasks that start, or finish, one end of a transfer on a rank.
struct EndTasks {
  int64_t task = 0;  // the last one, an index into EntryProgram::tasks
  int64_t numTasks = 0;
  int64_t numRuns = 0;  // number of runs of all these tasks
};

/// Returns the loop that `task` is in; null if it is in none.
const Loop* loopOf(const EntryProgram& program, int64_t task) {
  for (const Loop& loop : program.loops)
    if (task >= loop.first && task < loop.last) return &loop;
  return nullptr;
}

/// Returns for each micro-batch the position of the run of `task` in the
/// sequence of runs of `loop`; nullopt if the task does not run for the
/// micro-batch. A task outside loops runs for micro-batch 0 only.
std::vector<std::optional<int64_t>> runPositionsOf(const Loop* loop,
                                                   int64_t task) {
  if (!loop) return {0};
  const std::vector<Loop::Block> blocks = blocksOf(*loop);
  size_t block = 0;
  while (task >= blocks[block].last) ++block;
  const std::vector<Loop::BlockRun> runs = runsOf(*loop);
  const auto positions =
      positionsOf(runs, int64_t(blocks.size()), loop->numMicroBatches);
  std::vector<std::optional<int64_t>> runPositions;
  for (int64_t position : positions[block]) {
    runPositions.emplace_back();
    if (position < 0) continue;
    // A run for a later step happens in an earlier iteration, which has as many
    // runs as the loop.
    runPositions.back() = position - runs[position].stepOffset *
                                         static_cast<int64_t>(runs.size());
  }
  return runPositions;
}

/// Checks that task `finish` runs for the same micro-batches as task `start`,
/// and after it. Blocks may run in another order than the table lists them.
absl::Status checkMicroBatches(const EntryProgram& program, int64_t start,
                               int64_t finish) {
  const Loop* startLoop = loopOf(program, start);
  const Loop* finishLoop = loopOf(program, finish);
  auto starts = runPositionsOf(startLoop, start);
  auto finishes = runPositionsOf(finishLoop, finish);
  const size_t numMicroBatches = std::max(starts.size(), finishes.size());
  starts.resize(numMicroBatches);
  finishes.resize(numMicroBatches);
  for (size_t microBatch = 0; microBatch < numMicroBatches; ++microBatch) {
    if (starts[microBatch].has_value() != finishes[microBatch].has_value())
      return error("for micro-batch {} {}", microBatch,
                   starts[microBatch] ? "started, but not finished"
                                      : "finished, but not started");
    if (!starts[microBatch]) continue;
    const bool areApart =
        startLoop == finishLoop && starts[microBatch] != finishes[microBatch];
    if (areApart ? *finishes[microBatch] < *starts[microBatch] : finish < start)
      return error(
          "finished by task {}, started by task {}, for micro-batch {}", finish,
          start, microBatch);
  }
  return absl::OkStatus();
}

/// Checks the starts and finishes of one end of a transfer, after their numbers
/// of runs have been checked. There must be a single start and a single finish,
/// and for each micro-batch the start must run first. No parameter may change
/// between them, because a step may end at the first update.
absl::Status checkOrder(const EndTasks& start, const EndTasks& finish,
                        const EntryProgram& program) {
  const int64_t firstUpdate = program.firstUpdate;
  for (const EndTasks* end : {&start, &finish})
    if (end->numTasks > 1) return error("{} tasks, not one", end->numTasks);
  if (start.numTasks == 0) return absl::OkStatus();
  const bool isLate =
      program.firstLate >= 0 && finish.task >= program.firstLate;
  if (!isLate && (start.task < firstUpdate) != (finish.task < firstUpdate))
    return error("under way, from task {} to {}, at the first update, {}",
                 start.task, finish.task, firstUpdate);
  return checkMicroBatches(program, start.task, finish.task);
}

}  // namespace

absl::Status checkTransferEnds(const Plan& plan, const Entry& entry,
                               const Program& program,
                               const EntryProgram& entryProgram) {
  using EndKind = TransferTask::Kind;
  const std::vector<int64_t> numRuns = numRunsOfTasks(entryProgram);
  std::map<std::pair<int64_t, EndKind>, EndTasks> ends;
  for (size_t i = 0; i < entryProgram.tasks.size(); ++i)
    if (const auto* task = std::get_if<TransferTask>(&entryProgram.tasks[i])) {
      EndTasks& end = ends[{task->transfer, task->kind}];
      end.task = int64_t(i);
      ++end.numTasks;
      end.numRuns += numRuns[i];
    }
  for (size_t i = 0; i < entry.transfers.size(); ++i) {
    for (EndKind kind : {EndKind::kStartSend, EndKind::kFinishSend,
                         EndKind::kStartReceive, EndKind::kFinishReceive}) {
      const Tensor& end = endOf(entry.transfers[i], kind);
      const bool isThere = plan.groupOf(end).has(program.ranks[0]);
      const int64_t wanted = isThere ? entry.transfers[i].times : 0;
      const int64_t found = ends[{int64_t(i), kind}].numRuns;
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

}  // namespace sbp::plan
