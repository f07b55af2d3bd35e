#include "runtime/execute/Executor.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "runtime/communication/Collective.h"
#include "runtime/execute/SumOfSquares.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Buckets.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::execute {
namespace {

using Clock = trace::Recorder::Clock;

constexpr int64_t kNoMicroBatch = -1;

double secondsBetween(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

std::string nameOf(const plan::Entry& entry, const plan::TransferTask& task) {
  return fmt::format("{} of {}", plan::toString(task.kind),
                     entry.transfers[task.transfer].source.name);
}

const plan::Program& programOf(const plan::Plan& plan, int64_t rank) {
  for (const plan::Program& program : plan.programs)
    if (std::binary_search(program.ranks.begin(), program.ranks.end(), rank))
      return program;
  // Not reached: plan::check makes sure that every rank is in a program.
  return plan.programs.front();
}

std::vector<int64_t> arenaBytes(const plan::Plan& plan, size_t entry) {
  std::vector<int64_t> bytes;
  for (int64_t rank = 0; rank < plan.numRanks(); ++rank)
    bytes.push_back(programOf(plan, rank).entries[entry].arenaBytes);
  return bytes;
}

absl::StatusOr<Executor> Executor::prepare(
    const plan::Plan& plan, size_t entry, const SbpKernel* kernels,
    communication::Communicator& communicator) {
  const plan::Program& program = programOf(plan, communicator.rank());
  const plan::EntryProgram& entryProgram = program.entries[entry];
  Executor executor(communicator);
  executor.parameterBuffers = program.parameters;
  executor.inputBuffers = entryProgram.inputs;
  executor.outputBuffers = entryProgram.outputs;
  executor.maxSkew = plan.entries[entry].maxSkew;
  executor.minStepOffset = -executor.maxSkew;
  executor.inputStepOffset = executor.maxStepOffset =
      entryProgram.headStepOffset;
  executor.stepsAtOnce = plan::stepsAtOnce(plan, entry);
  executor.rotations = entryProgram.rotations;
  executor.program = &entryProgram;
  const std::vector<plan::Task>& tasks = entryProgram.tasks;
  for (size_t first = 0; first < tasks.size();) {
    const size_t last = plan::bucketEnd(tasks, static_cast<int64_t>(first));
    PreparedTask task;
    task.numTasks = last - first;
    for (size_t index = first; index < last; ++index)
      executor.addBuffers(tasks[index], task);
    executor.findRotated(task);
    if (const auto* kernel = std::get_if<plan::KernelTask>(&tasks[first])) {
      task.kernel = kernels[kernel->kernel];
      task.timing = executor.timingOf(plan.kernels[kernel->kernel].name, false);
    } else if (const auto* end =
                   std::get_if<plan::TransferTask>(&tasks[first])) {
      SBP_ASSIGN_OR_RETURN(task.transfer,
                           communicator.prepareTransfer(end->transfer));
      task.end = *end;
      task.transfersPerStep =
          plan.entries[entry].transfers[end->transfer].times;
      task.timing = executor.timingOf(nameOf(plan.entries[entry], *end), true);
      task.involvesOthers = true;
    } else {
      std::vector<plan::CollectiveTask> bucket;
      for (size_t index = first; index < last; ++index)
        bucket.push_back(std::get<plan::CollectiveTask>(tasks[index]));
      SBP_ASSIGN_OR_RETURN(task.collective, communicator.prepare(bucket));
      task.timing = executor.timingOf(
          plan::nameOf(plan.groups[bucket[0].group], bucket[0],
                       static_cast<int64_t>(bucket.size())),
          true);
      task.involvesOthers = !task.collective->phases.empty() &&
                            task.collective->members.size() > 1;
    }
    executor.tasks.push_back(std::move(task));
    executor.tasks.resize(last);
    first = last;
  }
  for (const plan::Loop& loop : entryProgram.loops)
    SBP_RETURN_IF_ERROR(executor.addLoop(loop));
  executor.firstUpdate = entryProgram.firstUpdate;
  for (const plan::Program& any : plan.programs)
    executor.numGradients += any.entries[entry].gradients.size();
  for (const plan::Gradient& gradient : entryProgram.gradients) {
    const std::vector<int64_t> coordinates =
        plan::coordinatesOf(plan.groups[gradient.group], communicator.rank());
    const bool isCopy =
        std::any_of(gradient.copyAxes.begin(), gradient.copyAxes.end(),
                    [&](int64_t axis) { return coordinates[axis] != 0; });
    if (!isCopy)
      executor.gradients.push_back(
          {gradient.elementType, gradient.buffer, gradient.numElements});
  }
  return executor;
}

void Executor::setSteps(int64_t first, int64_t last) {
  firstStep = first;
  lastStep = last;
  iteration = step = first;
  for (RunningLoop& running : loops) restartSlots(running);
}

const plan::Rotation* Executor::rotationOf(int64_t buffer) const {
  const auto next =
      std::upper_bound(rotations.begin(), rotations.end(), buffer,
                       [](int64_t at, const plan::Rotation& rotation) {
                         return at < rotation.buffer;
                       });
  if (next == rotations.begin()) return nullptr;
  const plan::Rotation& rotation = *std::prev(next);
  return buffer < rotation.buffer + rotation.bytes * rotation.count ? &rotation
                                                                    : nullptr;
}

std::byte* Executor::addressOf(int64_t buffer, int64_t ofStep) const {
  if (const plan::Rotation* rotation = rotationOf(buffer))
    buffer = plan::offsetInRotation(*rotation, buffer, ofStep);
  return communicator->arena() + buffer;
}

std::vector<std::byte*> Executor::addressesOf(
    const std::vector<int64_t>& buffers, int64_t ofStep) const {
  std::vector<std::byte*> addresses;
  for (int64_t buffer : buffers)
    addresses.push_back(buffer == plan::kAbsent ? nullptr
                                                : addressOf(buffer, ofStep));
  return addresses;
}

void Executor::findRotated(PreparedTask& task) const {
  for (size_t i = 0; i < task.buffers.size(); ++i) {
    const int64_t offset =
        static_cast<std::byte*>(task.buffers[i]) - communicator->arena();
    if (rotationOf(offset)) task.rotated.push_back({i, offset});
  }
}

void Executor::addBuffers(const plan::Task& task,
                          PreparedTask& prepared) const {
  const auto inArena = [&](int64_t buffer) {
    return communicator->arena() + buffer;
  };
  if (const auto* kernel = std::get_if<plan::KernelTask>(&task)) {
    for (int64_t buffer : kernel->buffers)
      prepared.buffers.push_back(inArena(buffer));
  } else if (const auto* end = std::get_if<plan::TransferTask>(&task)) {
    prepared.buffers.push_back(inArena(end->buffer));
  } else {
    const auto& collective = std::get<plan::CollectiveTask>(task);
    prepared.buffers.push_back(inArena(collective.in));
    prepared.buffers.push_back(inArena(collective.out));
  }
}

absl::Status Executor::addLoop(const plan::Loop& loop) {
  RunningLoop& running = loops.emplace_back();
  running.loop = loop;
  running.blocks = plan::blocksOf(loop);
  running.runs = plan::runsOf(loop);
  const auto numBlocks = static_cast<int64_t>(running.blocks.size());
  running.occurrences =
      plan::occurrencesOf(running.runs, numBlocks, loop.numMicroBatches);
  findSlotted(running);
  restartSlots(running);
  const plan::StepOffsetRange range = plan::stepOffsetsOf(loop);
  maxStepOffset = std::max(maxStepOffset, range.most);
  minStepOffset = std::min(minStepOffset, range.least);
  if (!loop.messages) return absl::OkStatus();
  running.positions =
      plan::positionsOf(running.runs, numBlocks, loop.numMicroBatches);
  for (const plan::Loop::Block& block : running.blocks) {
    std::vector<size_t>& finishTasks = running.finishTasks.emplace_back();
    for (int64_t index = block.first; index < block.last; ++index)
      if (tasks[index].transfer && plan::isFinish(tasks[index].end.kind))
        finishTasks.push_back(index);
  }
  running.byMessages.emplace(loop);
  SBP_ASSIGN_OR_RETURN(running.agreement,
                       communicator->prepare({loop.messages->agreement}));
  messagesTiming = timingOf("wait for messages", /*isCollective=*/true);
  return absl::OkStatus();
}

void Executor::findSlotted(RunningLoop& running) {
  const plan::Loop& loop = running.loop;
  running.slotsOf.resize(running.blocks.size());
  for (size_t i = 0; i < loop.slots.size(); ++i) {
    const plan::Loop::Slots& slots = loop.slots[i];
    for (int64_t user : slots.users) running.slotsOf[user].push_back(i);
    const std::byte* begin = communicator->arena() + slots.buffer;
    for (int64_t index = loop.first; index < loop.last; ++index) {
      PreparedTask& task = tasks[index];
      for (size_t k = 0; k < task.buffers.size(); ++k) {
        auto* buffer = static_cast<std::byte*>(task.buffers[k]);
        if (buffer >= begin && buffer < begin + slots.bytes)
          task.slotted.push_back({k, i, buffer});
      }
    }
  }
}

size_t Executor::timingOf(const std::string& name, bool isCollective) {
  for (size_t i = 0; i < times.size(); ++i)
    if (times[i].name == name && times[i].isCollective == isCollective)
      return i;
  times.push_back({name, isCollective, 0, 0});
  return times.size() - 1;
}

absl::Status Executor::run(const std::atomic<bool>& isStopped) {
  return runTasks(0, tasks.size(), isStopped);
}

absl::Status Executor::runUntilUpdate(const std::atomic<bool>& isStopped) {
  return runTasks(0, firstUpdate, isStopped);
}

absl::Status Executor::runUpdate(const std::atomic<bool>& isStopped) {
  if (recorder) recorder->beginTask(updateRecordedAs, kNoMicroBatch);
  SBP_RETURN_IF_ERROR(runTasks(firstUpdate, tasks.size(), isStopped));
  if (recorder) recorder->endTask();
  return absl::OkStatus();
}

template <typename Run>
absl::Status Executor::forEach(size_t begin, size_t end,
                               const std::atomic<bool>& isStopped, Run run) {
  const auto runAll = [&](size_t first, size_t last) -> absl::Status {
    for (size_t index = first; index < last; index += tasks[index].numTasks) {
      if (isStopped.load(std::memory_order_relaxed))
        return absl::CancelledError("interrupted");
      SBP_RETURN_IF_ERROR(run(index));
    }
    return absl::OkStatus();
  };
  size_t next = begin;
  for (RunningLoop& running : loops) {
    const plan::Loop& loop = running.loop;
    const auto [first, last] = std::pair<size_t, size_t>(loop.first, loop.last);
    if (first < begin || last > end || first == last) continue;
    SBP_RETURN_IF_ERROR(runOutside(next, first, runAll));
    SBP_RETURN_IF_ERROR(runLoop(running, runAll));
    next = last;
  }
  return runOutside(next, end, runAll);
}

template <typename RunAll>
absl::Status Executor::runOutside(size_t begin, size_t end, RunAll runAll) {
  occurrence = 0;
  for (const plan::Section& section :
       plan::sectionsOf(*program, maxSkew, static_cast<int64_t>(begin),
                        static_cast<int64_t>(end))) {
    step = iteration + section.stepOffset;
    if (isOfRun(step)) SBP_RETURN_IF_ERROR(runAll(section.first, section.last));
  }
  return absl::OkStatus();
}

void Executor::restartSlots(RunningLoop& running) {
  running.inUse.clear();
  for (const plan::Loop::Slots& slots : running.loop.slots)
    running.inUse.emplace_back(slots.users);
}

template <typename RunAll>
absl::Status Executor::runLoop(RunningLoop& running, RunAll runAll) {
  const plan::Loop& loop = running.loop;
  step = iteration;
  if (isOfRun(iteration))
    for (const plan::Loop::Carried& carried : loop.carried)
      std::memset(addressOf(carried.buffer), 0, carried.bytes);
  // An interrupted run may have left slots in use.
  if (maxSkew == 0) restartSlots(running);
  slotShiftBytes.assign(loop.slots.size(), 0);
  const auto runBlock = [&](const plan::Loop::BlockRun& run,
                            int64_t runOccurrence) -> absl::Status {
    step = iteration + run.stepOffset;
    if (!isOfRun(step)) return absl::OkStatus();
    occurrence = runOccurrence;
    if (loop.microBatchBuffer != plan::kAbsent)
      std::memcpy(addressOf(loop.microBatchBuffer), &run.microBatch,
                  sizeof(run.microBatch));
    // Micro-batches count on from step to step, where steps overlap.
    const int64_t microBatch =
        maxSkew == 0
            ? run.microBatch
            : (step - firstStep) * loop.numMicroBatches + run.microBatch;
    for (size_t used : running.slotsOf[run.block]) {
      plan::SlotsInUse& inUse = running.inUse[used];
      inUse.begin(microBatch);
      slotShiftBytes[used] = inUse.slotOf(microBatch) * loop.slots[used].bytes;
    }
    const plan::Loop::Block& block = running.blocks[run.block];
    if (recorder)
      recorder->beginTask(running.recordedAs[run.block],
                          block.isOnce ? kNoMicroBatch : run.microBatch);
    SBP_RETURN_IF_ERROR(runAll(block.first, block.last));
    if (recorder) recorder->endTask();
    for (size_t used : running.slotsOf[run.block])
      running.inUse[used].end(microBatch);
    return absl::OkStatus();
  };
  if (!running.byMessages) {
    for (size_t i = 0; i < running.runs.size(); ++i)
      SBP_RETURN_IF_ERROR(runBlock(running.runs[i], running.occurrences[i]));
    return absl::OkStatus();
  }
  MessageOrder& order = *running.byMessages;
  order.restart();
  while (!order.isDone()) {
    SBP_ASSIGN_OR_RETURN(const size_t block, nextBlock(running));
    const int64_t microBatch = order.microBatchOf(block);
    const int64_t position = running.positions[block][microBatch];
    SBP_RETURN_IF_ERROR(runBlock({static_cast<int64_t>(block), microBatch},
                                 running.occurrences[position]));
    order.noteRun(block);
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> Executor::nextBlock(RunningLoop& running) {
  const Clock::time_point begin = Clock::now();
  const plan::CollectiveTask& agreement = running.loop.messages->agreement;
  auto* canRun = reinterpret_cast<float*>(addressOf(agreement.in));
  MessageOrder& order = *running.byMessages;
  const auto canFinish = [&](size_t block, size_t task) {
    const int64_t position =
        running.positions[block][order.microBatchOf(block)];
    return communicator->canFinish(tasks[task].end.kind, *tasks[task].transfer,
                                   running.occurrences[position]);
  };
  const auto findReady = [&] {
    bool isAny = false;
    for (size_t block = 0; block < running.blocks.size(); ++block) {
      const std::vector<size_t>& finishTasks = running.finishTasks[block];
      const bool isReady =
          order.canRun(block, running.inUse) &&
          std::all_of(finishTasks.begin(), finishTasks.end(),
                      [&](size_t task) { return canFinish(block, task); });
      canRun[block] = isReady ? 1.0f : 0.0f;
      isAny |= isReady;
    }
    return isAny;
  };
  while (true) {
    SBP_RETURN_IF_ERROR(communicator->waitFor(findReady));
    if (running.agreement->members.size() > 1)
      SBP_RETURN_IF_ERROR(
          communicator->run(*running.agreement, running.agreement->buffers));
    for (size_t block : order.byUrgency())
      if (canRun[block] > 0) {
        const Clock::time_point end = Clock::now();
        const double seconds = secondsBetween(begin, end);
        ++times[*messagesTiming].count;
        times[*messagesTiming].seconds += seconds;
        secondsWithOthers += seconds;
        if (recorder) recorder->add(recordedAs[*messagesTiming], begin, end);
        return block;
      }
  }
}

absl::Status Executor::forEachUntilUpdate(
    const std::atomic<bool>& isStopped,
    const std::function<absl::Status(size_t)>& run) {
  return forEach(0, firstUpdate, isStopped, run);
}

absl::Status Executor::runTasks(size_t first, size_t last,
                                const std::atomic<bool>& isStopped) {
  Clock::time_point begin = Clock::now();
  const auto run = [&](size_t index) -> absl::Status {
    SBP_RETURN_IF_ERROR(runTask(index));
    const Clock::time_point end = Clock::now();
    Timing& timing = times[tasks[index].timing];
    ++timing.count;
    const double seconds = secondsBetween(begin, end);
    timing.seconds += seconds;
    if (tasks[index].involvesOthers) secondsWithOthers += seconds;
    if (recorder) recorder->add(recordedAs[tasks[index].timing], begin, end);
    begin = end;
    return absl::OkStatus();
  };
  return forEach(first, last, isStopped, run);
}

const std::vector<void*>& Executor::buffersOf(size_t index) {
  PreparedTask& task = tasks[index];
  for (const Slotted& slotted : task.slotted)
    task.buffers[slotted.buffer] =
        slotted.first + slotShiftBytes[slotted.slots];
  for (const Rotated& rotated : task.rotated)
    task.buffers[rotated.buffer] = addressOf(rotated.offset);
  return task.buffers;
}

absl::Status Executor::runTask(size_t index) {
  const std::vector<void*>& buffers = buffersOf(index);
  const PreparedTask& task = tasks[index];
  const auto offsetOf = [&](size_t buffer) {
    return static_cast<std::byte*>(buffers[buffer]) - communicator->arena();
  };
  if (task.transfer)
    return communicator->run(
        task.end.kind, *task.transfer, offsetOf(0),
        step % stepsAtOnce * task.transfersPerStep + occurrence);
  if (task.collective) {
    collectiveBuffers.clear();
    for (size_t in = 0; in < buffers.size(); in += 2)
      collectiveBuffers.push_back({offsetOf(in), offsetOf(in + 1)});
    return communicator->run(*task.collective, collectiveBuffers);
  }
  task.kernel(buffers.data());
  communicator->noteStep();
  return absl::OkStatus();
}

double Executor::squaresOfGradients() const {
  double sum = 0;
  for (const Gradient& gradient : gradients)
    sum += sumOfSquares(gradient.elementType,
                        addressOf(gradient.buffer, iteration),
                        gradient.numElements);
  return sum;
}

void Executor::recordTo(trace::Recorder& to) {
  using Kind = trace::Recorder::Kind;
  recorder = &to;
  std::vector<Kind> kinds(times.size(), Kind::kKernel);
  for (const PreparedTask& task : tasks)
    if (task.involvesOthers)
      kinds[task.timing] = task.transfer ? Kind::kTransfer : Kind::kCollective;
  if (messagesTiming) kinds[*messagesTiming] = Kind::kTransfer;
  for (size_t i = 0; i < times.size(); ++i)
    recordedAs.push_back(to.addName(kinds[i], times[i].name));
  for (RunningLoop& running : loops)
    for (const plan::Loop::Block& block : running.blocks)
      running.recordedAs.push_back(to.addName(
          Kind::kTask, block.name.empty() ? "micro-batch" : block.name));
  updateRecordedAs = to.addName(Kind::kTask, "update");
}

std::vector<Timing> Executor::timings() const {
  std::vector<Timing> result = times;
  std::sort(result.begin(), result.end(),
            [](const Timing& left, const Timing& right) {
              return left.seconds > right.seconds;
            });
  return result;
}

}  // namespace sbp::execute
