#include "runtime/execute/Executor.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <map>
#include <utility>

#include "runtime/communication/Collective.h"
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

std::vector<int64_t> arenaBytes(const plan::Plan& plan, size_t entry) {
  std::vector<int64_t> bytes;
  for (int64_t rank = 0; rank < plan.numRanks(); ++rank)
    bytes.push_back(plan.programOf(rank).entries[entry].arenaBytes);
  return bytes;
}

absl::StatusOr<Executor> Executor::prepare(const plan::Plan& plan, size_t entry,
                                           const Rank& rank) {
  const int64_t number = rank.communicator.rank();
  const plan::Program& program = plan.programOf(number);
  const plan::EntryProgram& entryProgram = program.entries[entry];
  Executor executor(rank);
  const auto boxOf = [&](const plan::Tensor& tensor, int64_t buffer) {
    return buffer == plan::kAbsent
               ? Box()
               : Box{buffer,
                     plan::localBytes(plan.groupOf(tensor), tensor, number)};
  };
  for (size_t i = 0; i < plan.parameters.size(); ++i)
    executor.parameterBoxes.push_back(
        boxOf(plan.parameters[i].tensor, program.parameters[i]));
  for (size_t i = 0; i < plan.entries[entry].inputs.size(); ++i)
    executor.inputBoxes.push_back(
        boxOf(plan.entries[entry].inputs[i], entryProgram.inputs[i]));
  for (size_t i = 0; i < plan.entries[entry].outputs.size(); ++i)
    executor.outputBoxes.push_back(
        boxOf(plan.entries[entry].outputs[i], entryProgram.outputs[i]));
  executor.maxSkew = plan.entries[entry].maxSkew;
  executor.minStepOffset = -executor.maxSkew;
  executor.inputStepOffset = executor.maxStepOffset =
      entryProgram.headStepOffset;
  executor.stepsAtOnce = plan::stepsAtOnce(plan, entry);
  executor.rotations = entryProgram.rotations;
  executor.program = &entryProgram;
  executor.places = &plan.places;
  const std::vector<plan::Task>& tasks = entryProgram.tasks;
  for (size_t first = 0; first < tasks.size();) {
    const size_t last = plan::bucketEnd(tasks, static_cast<int64_t>(first));
    PreparedTask task;
    task.numTasks = last - first;
    for (size_t index = first; index < last; ++index)
      addBuffers(tasks[index], task);
    executor.findRotated(task);
    if (rank.device.hasQueues())
      for (size_t index = first; index < last; ++index)
        task.accesses.add(plan, entryProgram.tasks[index]);
    if (const auto* kernel = std::get_if<plan::KernelTask>(&tasks[first])) {
      task.kernel = kernel->kernel;
      task.timing = executor.timingOf(plan.kernels[kernel->kernel].name, false);
    } else if (const auto* end =
                   std::get_if<plan::TransferTask>(&tasks[first])) {
      SBP_ASSIGN_OR_RETURN(task.transfer,
                           rank.collectives.prepareTransfer(end->transfer));
      task.end = *end;
      task.transfersPerStep =
          plan.entries[entry].transfers[end->transfer].times;
      if (rank.device.hasQueues()) task.accesses.add(end->kind, *task.transfer);
      task.timing = executor.timingOf(nameOf(plan.entries[entry], *end), true);
      task.involvesOthers = true;
    } else {
      std::vector<plan::CollectiveTask> bucket;
      for (size_t index = first; index < last; ++index)
        bucket.push_back(std::get<plan::CollectiveTask>(tasks[index]));
      SBP_ASSIGN_OR_RETURN(task.collective, rank.collectives.prepare(bucket));
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
        plan::coordinatesOf(plan.groups[gradient.group], number);
    const bool isCopy =
        std::any_of(gradient.copyAxes.begin(), gradient.copyAxes.end(),
                    [&](int64_t axis) { return coordinates[axis] != 0; });
    if (!isCopy) executor.gradients.push_back(gradient);
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

int64_t Executor::offsetOf(int64_t buffer, int64_t ofStep) const {
  const plan::Rotation* rotation = rotationOf(buffer);
  return rotation ? plan::offsetInRotation(*rotation, buffer, ofStep) : buffer;
}

std::vector<device::LocalTensor> Executor::partsOf(
    const std::vector<Box>& boxes, int64_t ofStep) const {
  std::vector<device::LocalTensor> parts;
  for (const Box& box : boxes)
    parts.push_back(box.buffer == plan::kAbsent
                        ? device::LocalTensor()
                        : device::LocalTensor(rank.device,
                                              offsetOf(box.buffer, ofStep),
                                              box.bytes));
  return parts;
}

void Executor::findRotated(PreparedTask& task) const {
  for (size_t i = 0; i < task.buffers.size(); ++i)
    if (rotationOf(task.buffers[i]))
      task.rotated.push_back({i, task.buffers[i]});
}

void Executor::addBuffers(const plan::Task& task, PreparedTask& prepared) {
  if (const auto* kernel = std::get_if<plan::KernelTask>(&task)) {
    prepared.buffers = kernel->buffers;
  } else if (const auto* end = std::get_if<plan::TransferTask>(&task)) {
    prepared.buffers.push_back(end->buffer);
  } else {
    const auto& collective = std::get<plan::CollectiveTask>(task);
    prepared.buffers.push_back(collective.in);
    prepared.buffers.push_back(collective.out);
  }
}

absl::Status Executor::startRun(const PreparedTask& task) {
  if (!rank.device.hasQueues()) return absl::OkStatus();
  accesses.clear();
  for (const BufferAccess& access : task.accesses.all)
    accesses.push_back(
        {task.buffers[access.buffer], access.bytes, access.isWrite});
  return rank.device.startRun(task.accesses.queue, accesses);
}

absl::Status Executor::startWrite(int64_t buffer, int64_t bytes) {
  if (!rank.device.hasQueues()) return absl::OkStatus();
  return rank.device.startRun(device::Queue::kCompute,
                              {{buffer, bytes, /*isWrite=*/true}});
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
                       rank.collectives.prepare({loop.messages->agreement}));
  running.canRun.resize(running.blocks.size());
  messagesTiming = timingOf("wait for messages", /*isCollective=*/true);
  return absl::OkStatus();
}

void Executor::findSlotted(RunningLoop& running) {
  const plan::Loop& loop = running.loop;
  running.slotsOf.resize(running.blocks.size());
  for (size_t i = 0; i < loop.slots.size(); ++i) {
    const plan::Loop::Slots& slots = loop.slots[i];
    for (int64_t user : slots.users) running.slotsOf[user].push_back(i);
    for (int64_t index = loop.first; index < loop.last; ++index) {
      PreparedTask& task = tasks[index];
      for (size_t k = 0; k < task.buffers.size(); ++k) {
        const int64_t buffer = task.buffers[k];
        if (buffer >= slots.buffer && buffer < slots.buffer + slots.bytes)
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
    for (const plan::Loop::Carried& carried : loop.carried) {
      const int64_t buffer = offsetOf(carried.buffer);
      SBP_RETURN_IF_ERROR(startWrite(buffer, carried.bytes));
      SBP_RETURN_IF_ERROR(rank.device.clear(buffer, carried.bytes));
    }
  // An interrupted run may have left slots in use.
  if (maxSkew == 0) restartSlots(running);
  slotShiftBytes.assign(loop.slots.size(), 0);
  const auto runBlock = [&](const plan::Loop::BlockRun& run,
                            int64_t runOccurrence) -> absl::Status {
    step = iteration + run.stepOffset;
    if (!isOfRun(step)) return absl::OkStatus();
    occurrence = runOccurrence;
    if (loop.microBatchBuffer != plan::kAbsent) {
      const int64_t buffer = offsetOf(loop.microBatchBuffer);
      SBP_RETURN_IF_ERROR(startWrite(buffer, sizeof run.microBatch));
      SBP_RETURN_IF_ERROR(rank.device.setNumber(buffer, run.microBatch));
    }
    // If steps overlap, micro-batches are numbered from the first step of the
    // run on, because micro-batches of several steps hold slots.
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

absl::Status Executor::agree(RunningLoop& running) {
  const device::LocalTensor agreed(
      rank.device, offsetOf(running.loop.messages->agreement.in),
      static_cast<int64_t>(running.canRun.size() * sizeof(float)));
  SBP_RETURN_IF_ERROR(agreed.write([&](std::byte* mine) {
    std::memcpy(mine, running.canRun.data(), agreed.bytes());
    return absl::OkStatus();
  }));
  SBP_RETURN_IF_ERROR(
      rank.collectives.run(*running.agreement, running.agreement->buffers));
  return agreed.read([&](const std::byte* ofAll) {
    std::memcpy(running.canRun.data(), ofAll, agreed.bytes());
    return absl::OkStatus();
  });
}

absl::StatusOr<size_t> Executor::nextBlock(RunningLoop& running) {
  const Clock::time_point begin = Clock::now();
  MessageOrder& order = *running.byMessages;
  const auto canFinish = [&](size_t block, size_t task) {
    const int64_t position =
        running.positions[block][order.microBatchOf(block)];
    return rank.collectives.canFinish(tasks[task].end.kind,
                                      *tasks[task].transfer,
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
      running.canRun[block] = isReady ? 1.0f : 0.0f;
      isAny |= isReady;
    }
    return isAny;
  };
  SBP_RETURN_IF_ERROR(rank.device.submit());
  while (true) {
    SBP_RETURN_IF_ERROR(rank.communicator.waitFor(findReady));
    if (running.agreement->members.size() > 1)
      SBP_RETURN_IF_ERROR(agree(running));
    for (size_t block : order.byUrgency())
      if (running.canRun[block] > 0) {
        const Clock::time_point end = Clock::now();
        const double seconds = secondsBetween(begin, end);
        ++times[*messagesTiming].count;
        times[*messagesTiming].seconds += seconds;
        secondsWithOthers += seconds;
        if (recorder) recorder->add(messagesRecordedAs, begin, end);
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
    absl::Status done = runTask(index);
    if (timesWholeTasks) {
      done.Update(rank.device.wait());
      // A device may report a failure only now; names the task that failed.
      if (!done.ok() && !absl::IsAborted(done))
        done = absl::Status(
            done.code(),
            fmt::format("{}{}: {}", times[tasks[index].timing].name,
                        places->at(originOf(index)), textOf(done)));
    }
    SBP_RETURN_IF_ERROR(done);
    const Clock::time_point end = Clock::now();
    Timing& timing = times[tasks[index].timing];
    ++timing.count;
    const double seconds = secondsBetween(begin, end);
    timing.seconds += seconds;
    if (tasks[index].involvesOthers) secondsWithOthers += seconds;
    if (recorder) recorder->add(tasks[index].recordedAs, begin, end);
    begin = end;
    return absl::OkStatus();
  };
  SBP_RETURN_IF_ERROR(forEach(first, last, isStopped, run));
  return rank.device.submit();
}

const std::vector<int64_t>& Executor::buffersOf(size_t index) {
  PreparedTask& task = tasks[index];
  for (const Slotted& slotted : task.slotted)
    task.buffers[slotted.buffer] =
        slotted.first + slotShiftBytes[slotted.slots];
  for (const Rotated& rotated : task.rotated)
    task.buffers[rotated.buffer] = offsetOf(rotated.offset);
  return task.buffers;
}

absl::Status Executor::runTask(size_t index) {
  const std::vector<int64_t>& buffers = buffersOf(index);
  const PreparedTask& task = tasks[index];
  SBP_RETURN_IF_ERROR(startRun(task));
  if (task.transfer)
    return rank.collectives.run(
        task.end.kind, *task.transfer, buffers[0],
        step % stepsAtOnce * task.transfersPerStep + occurrence);
  if (task.collective) {
    collectiveBuffers.clear();
    for (size_t in = 0; in < buffers.size(); in += 2)
      collectiveBuffers.push_back({buffers[in], buffers[in + 1]});
    return rank.collectives.run(*task.collective, collectiveBuffers);
  }
  SBP_RETURN_IF_ERROR(rank.device.run(task.kernel, buffers));
  rank.communicator.noteStep();
  return absl::OkStatus();
}

absl::StatusOr<double> Executor::squaresOfGradients() const {
  std::vector<plan::Gradient> now = gradients;
  for (plan::Gradient& gradient : now)
    gradient.buffer = offsetOf(gradient.buffer, iteration);
  return rank.device.sumOfSquares(now);
}

int64_t Executor::originOf(size_t index) const {
  return tasks[index].numTasks == 1 ? program->originOf(index)
                                    : plan::kUnknownOrigin;
}

void Executor::recordTo(trace::Recorder& to) {
  using Kind = trace::Recorder::Kind;
  recorder = &to;
  std::vector<Kind> kinds(times.size(), Kind::kKernel);
  for (const PreparedTask& task : tasks)
    if (task.involvesOthers)
      kinds[task.timing] = task.transfer ? Kind::kTransfer : Kind::kCollective;
  std::map<std::pair<size_t, int64_t>, int64_t> names;  // by timing, origin
  for (size_t i = 0; i < tasks.size(); i += tasks[i].numTasks) {
    const int64_t origin = originOf(i);
    const size_t timing = tasks[i].timing;
    auto [name, isNew] = names.try_emplace({timing, origin}, 0);
    if (isNew)
      name->second =
          to.addName(kinds[timing], times[timing].name, places->textOf(origin));
    tasks[i].recordedAs = name->second;
  }
  if (messagesTiming)
    messagesRecordedAs =
        to.addName(Kind::kTransfer, times[*messagesTiming].name);
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
