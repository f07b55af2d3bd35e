#include "runtime/proof/Values.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/plan/Box.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/proof/Contents.h"
#include "runtime/proof/ProgramPoint.h"
#include "runtime/proof/WantedContents.h"
#include "runtime/status/Status.h"

namespace sbp::proof {
namespace {

using plan::EntryValues;
using plan::TaskValues;
using EndKind = plan::TransferTask::Kind;

int64_t bytesOf(plan::ElementType type, const std::vector<int64_t>& shape) {
  return plan::byteWidth(type) * plan::numElements(shape);
}

int64_t bytesOf(const plan::LocalType& type) {
  return bytesOf(type.elementType, type.shape);
}

/// A range of the arena.
struct Bytes {
  int64_t begin = 0;
  int64_t count = 0;

  bool overlaps(const Bytes& other) const {
    return count > 0 && other.count > 0 && begin < other.begin + other.count &&
           other.begin < begin + count;
  }
};

/// Visits the tasks of one entry in the order in which an executor runs them.
class Walk {
 public:
  Walk(const plan::Plan& plan, const plan::Program& program, size_t entry)
      : plan_(plan),
        program_(program),
        entry_(plan.entries[entry]),
        tasks_(program.entries[entry]),
        values_(tasks_.values),
        maxSkew_(entry_.maxSkew),
        numSteps_(plan::stepsThatShowAll(plan, entry)),
        wanted_(plan, program, entry) {
    for (const plan::Loop& loop : tasks_.loops) {
      std::vector<plan::SlotsInUse>& inUse = inUse_.emplace_back();
      for (const plan::Loop::Slots& slots : loop.slots)
        inUse.emplace_back(slots.users);
    }
  }

  absl::Status run() {
    begin();
    const plan::IterationRange iterations =
        plan::iterationsOf(tasks_, maxSkew_, numSteps_);
    for (iteration_ = iterations.first; iteration_ < iterations.last;
         ++iteration_)
      SBP_RETURN_IF_ERROR(runTurn());
    return absl::OkStatus();
  }

 private:
  absl::Status runTurn() {
    hasUpdateBegun_ = false;
    loadInputs();
    int64_t next = 0;
    for (size_t index = 0; index < tasks_.loops.size(); ++index) {
      if (tasks_.loops[index].first == tasks_.loops[index].last) continue;
      SBP_RETURN_IF_ERROR(runOutside(next, tasks_.loops[index].first));
      SBP_RETURN_IF_ERROR(runLoop(static_cast<int64_t>(index)));
      next = tasks_.loops[index].last;
    }
    SBP_RETURN_IF_ERROR(
        runOutside(next, static_cast<int64_t>(tasks_.tasks.size())));
    step_ = iteration_;
    if (!isOfRun(iteration_)) return absl::OkStatus();
    SBP_RETURN_IF_ERROR(checkUpdateBegins());
    return checkEnd();
  }

  bool isOfRun(int64_t step) const { return step >= 0 && step < numSteps_; }

  // ---- Values -----------------------------------------------------------

  /// Returns the instance of `value` that the current task means.
  Content wantedHere(int64_t value) const {
    return wanted_.of(value, step_, point_);
  }

  /// Describes `content` by the task that makes it.
  std::string makerOf(const Content& content) const {
    if (content.value == Content::kNothing) return "nothing";
    if (content.value == Content::kZeros) return "zeros";
    if (content.value == Content::kArriving) return "a tensor on its way";
    for (size_t i = 0; i < values_.tasks.size(); ++i) {
      const std::vector<int64_t>& written = values_.tasks[i].written;
      if (std::find(written.begin(), written.end(), content.value) ==
          written.end())
        continue;
      ProgramPoint point = pointOf(static_cast<int64_t>(i));
      point.microBatch = wanted_.microBatchOf(content);
      return fmt::format("the result of {} ({})",
                         nameOf(plan_, entry_, tasks_.tasks[i]),
                         describe(tasks_, point));
    }
    return nameOfGiven(content.value);
  }

  std::string nameOfGiven(int64_t value) const {
    for (size_t i = 0; i < entry_.inputs.size(); ++i)
      if (values_.inputs[i] == value)
        return fmt::format("input {}", entry_.inputs[i].name);
    for (const EntryValues::Parameter& parameter : values_.parameters)
      if (parameter.before == value) return nameAt(parameter.buffer);
    return "the number of the micro-batch";
  }

  std::string nameAt(int64_t buffer) const {
    for (size_t i = 0; i < plan_.parameters.size(); ++i)
      if (program_.parameters[i] == buffer)
        return fmt::format("parameter {}", plan_.parameters[i].tensor.name);
    return "a parameter";
  }

  ProgramPoint pointOf(int64_t task) const {
    for (size_t i = 0; i < tasks_.loops.size(); ++i) {
      const plan::Loop& loop = tasks_.loops[i];
      if (task < loop.first || task >= loop.last) continue;
      const std::vector<plan::Loop::Block> blocks = plan::blocksOf(loop);
      int64_t block = 0;
      while (task >= blocks[block].last) ++block;
      return {task, static_cast<int64_t>(i), block, 0};
    }
    return {task};
  }

  // ---- Memory -----------------------------------------------------------

  template <typename... Args>
  absl::Status fail(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string where =
        point_.task < static_cast<int64_t>(tasks_.tasks.size())
            ? fmt::format("{}: {}", describe(tasks_, point_),
                          nameOf(plan_, entry_, tasks_.tasks[point_.task]))
            : "in the end";
    return error("rank {}, {} {}", program_.ranks[0], where,
                 fmt::format(format, std::forward<Args>(args)...));
  }

  /// Returns the offset of a buffer that a task names, which may be in the
  /// slots of a loop or in a rotation.
  int64_t offsetOf(int64_t buffer) const {
    if (point_.loop >= 0) {
      const auto& all = tasks_.loops[point_.loop].slots;
      for (size_t i = 0; i < all.size(); ++i)
        if (buffer >= all[i].buffer && buffer < all[i].buffer + all[i].bytes)
          return buffer + shifts_[i];
    }
    return inTurn(buffer);
  }

  /// Returns the offset of `buffer` in the current step, if it is in a
  /// rotation.
  int64_t inTurn(int64_t buffer) const {
    for (const plan::Rotation& rotation : tasks_.rotations)
      if (buffer >= rotation.buffer &&
          buffer < rotation.buffer + rotation.bytes * rotation.count)
        return plan::offsetInRotation(rotation, buffer, step_);
    return buffer;
  }

  absl::Status read(Bytes bytes, int64_t value) const {
    if (bytes.count == 0) return absl::OkStatus();
    const Content wanted = wantedHere(value);
    const Content found = contents_.read(bytes.begin, bytes.count);
    if (found == wanted) return absl::OkStatus();
    return fail("wants {} and finds {} at {}", makerOf(wanted), makerOf(found),
                bytes.begin);
  }

  /// Fails if `bytes` overlap a tensor that is being sent or received.
  absl::Status checkFree(Bytes bytes) const {
    for (const auto& [key, sent] : sending_)
      if (sent.overlaps(bytes))
        return fail("overwrites {} at {} while it is sent",
                    entry_.transfers[std::get<0>(key)].source.name, sent.begin);
    if (contents_.isArriving(bytes.begin, bytes.count))
      return fail("overwrites a tensor at {} while it is received",
                  bytes.begin);
    return absl::OkStatus();
  }

  absl::Status write(Bytes bytes, Content content) {
    SBP_RETURN_IF_ERROR(checkFree(bytes));
    contents_.write(bytes.begin, bytes.count, content);
    return absl::OkStatus();
  }

  // ---- Tasks ------------------------------------------------------------

  /// Checks a task that reads `operands`, overwrites `scratch`, and writes
  /// `results`, and records its results.
  absl::Status compute(const std::vector<Bytes>& operands,
                       const std::vector<Bytes>& results, Bytes scratch) {
    const TaskValues& values = values_.tasks[point_.task];
    for (size_t i = 0; i < operands.size(); ++i)
      SBP_RETURN_IF_ERROR(read(operands[i], values.read[i]));
    for (size_t i = 0; i < results.size(); ++i) {
      for (const Bytes& operand : operands)
        if (results[i].overlaps(operand) && results[i].begin != operand.begin)
          return fail("writes to {} over the operand at {}", results[i].begin,
                      operand.begin);
      for (size_t other = 0; other < i; ++other)
        if (results[i].overlaps(results[other]))
          return fail("writes two results to {}", results[i].begin);
    }
    for (const std::vector<Bytes>* tensors : {&operands, &results})
      for (const Bytes& tensor : *tensors)
        if (scratch.overlaps(tensor))
          return fail("works at {}, where its tensor at {} lies", scratch.begin,
                      tensor.begin);
    SBP_RETURN_IF_ERROR(write(scratch, {}));
    for (size_t i = 0; i < results.size(); ++i)
      SBP_RETURN_IF_ERROR(write(results[i], wantedHere(values.written[i])));
    return absl::OkStatus();
  }

  absl::Status runTask(const plan::KernelTask& task) {
    const plan::Kernel& kernel = plan_.kernels[task.kernel];
    size_t next = 0;
    const auto bytesOfAll = [&](const std::vector<plan::LocalType>& types) {
      std::vector<Bytes> all;
      for (const plan::LocalType& type : types)
        all.push_back({offsetOf(task.buffers[next++]), bytesOf(type)});
      return all;
    };
    const std::vector<Bytes> operands = bytesOfAll(kernel.operands);
    const std::vector<Bytes> results = bytesOfAll(kernel.results);
    Bytes scratch;
    if (next < task.buffers.size())
      scratch = {offsetOf(task.buffers[next]),
                 values_.tasks[point_.task].scratchBytes};
    if (scratch.begin + scratch.count > tasks_.arenaBytes)
      return fail("works in {} bytes at {} of an arena of {}", scratch.count,
                  scratch.begin, tasks_.arenaBytes);
    return compute(operands, results, scratch);
  }

  /// Visits a collective. The tasks of a bucket are visited one by one, as if
  /// each ran alone. This is equivalent to running the bucket, because no task
  /// of a bucket reads or writes what another one writes (plan::checkBuckets).
  absl::Status runTask(const plan::CollectiveTask& task) {
    std::vector<Bytes> operands;
    if (!values_.tasks[point_.task].read.empty())
      operands = {{offsetOf(task.in), bytesOf(task.elementType, task.inShape)}};
    return compute(
        operands,
        {{offsetOf(task.out), bytesOf(task.elementType, task.outShape)}}, {});
  }

  absl::Status runTask(const plan::TransferTask& task) {
    const plan::Transfer& transfer = entry_.transfers[task.transfer];
    const bool isSent =
        task.kind == EndKind::kStartSend || task.kind == EndKind::kFinishSend;
    const plan::Tensor& end = isSent ? transfer.source : transfer.target;
    const Bytes bytes = {
        offsetOf(task.buffer),
        plan::localBytes(plan_.groupOf(end), end, program_.ranks[0])};
    const TransferKey key(task.transfer, step_, point_.microBatch);
    const TaskValues& values = values_.tasks[point_.task];
    switch (task.kind) {
      case EndKind::kStartSend:
        SBP_RETURN_IF_ERROR(read(bytes, values.read[0]));
        sending_[key] = bytes;
        return absl::OkStatus();
      case EndKind::kFinishSend:
        sending_.erase(key);
        return absl::OkStatus();
      case EndKind::kStartReceive:
        SBP_RETURN_IF_ERROR(write(bytes, {Content::kArriving, 0}));
        receiving_[key] = bytes.begin;
        return absl::OkStatus();
      case EndKind::kFinishReceive:
        // An empty tensor may lie anywhere.
        if (bytes.count > 0 && receiving_[key] != bytes.begin)
          return fail("has its buffer at {}, and its start at {}", bytes.begin,
                      receiving_[key]);
        receiving_.erase(key);
        contents_.write(bytes.begin, bytes.count,
                        wantedHere(values.written[0]));
        return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  // ---- Execution order --------------------------------------------------

  absl::Status runTasks(int64_t first, int64_t last) {
    for (point_.task = first; point_.task < last; ++point_.task) {
      if (point_.loop < 0 && point_.task == tasks_.firstUpdate &&
          step_ == iteration_)
        SBP_RETURN_IF_ERROR(checkUpdateBegins());
      SBP_RETURN_IF_ERROR(
          std::visit([this](const auto& task) { return runTask(task); },
                     tasks_.tasks[point_.task]));
    }
    return absl::OkStatus();
  }

  absl::Status runOutside(int64_t first, int64_t last) {
    for (const plan::Section& section :
         plan::sectionsOf(tasks_, maxSkew_, first, last)) {
      step_ = iteration_ + section.stepOffset;
      if (!isOfRun(step_)) continue;
      point_ = {section.first};
      SBP_RETURN_IF_ERROR(runTasks(section.first, section.last));
    }
    return absl::OkStatus();
  }

  absl::Status runLoop(int64_t index) {
    const plan::Loop& loop = tasks_.loops[index];
    point_ = {loop.first};
    step_ = iteration_;
    if (isOfRun(iteration_)) {
      if (loop.first == tasks_.firstUpdate)
        SBP_RETURN_IF_ERROR(checkUpdateBegins());
      for (const plan::Loop::Carried& carried : loop.carried)
        SBP_RETURN_IF_ERROR(write({inTurn(carried.buffer), carried.bytes},
                                  {Content::kZeros, 0}));
    }
    const std::vector<plan::Loop::Block> blocks = plan::blocksOf(loop);
    std::vector<std::vector<size_t>> slotsOf(blocks.size());
    for (size_t i = 0; i < loop.slots.size(); ++i)
      for (int64_t user : loop.slots[i].users) slotsOf[user].push_back(i);
    std::vector<plan::SlotsInUse>& inUse = inUse_[index];
    shifts_.assign(loop.slots.size(), 0);
    for (const plan::Loop::BlockRun& run : plan::runsOf(loop)) {
      step_ = iteration_ + run.stepOffset;
      if (!isOfRun(step_)) continue;
      const plan::Loop::Block& block = blocks[run.block];
      point_ = {block.first, index, run.block, run.microBatch};
      if (loop.microBatchBuffer != plan::kAbsent)
        SBP_RETURN_IF_ERROR(
            write({loop.microBatchBuffer, sizeof(int64_t)},
                  wanted_.of(values_.loops[index].microBatchValue, step_, index,
                             run.microBatch)));
      const int64_t instance = step_ * loop.numMicroBatches + run.microBatch;
      for (size_t used : slotsOf[run.block]) {
        inUse[used].begin(instance);
        shifts_[used] = inUse[used].slotOf(instance) * loop.slots[used].bytes;
      }
      SBP_RETURN_IF_ERROR(runTasks(block.first, block.last));
      for (size_t used : slotsOf[run.block]) inUse[used].end(instance);
    }
    return absl::OkStatus();
  }

  void begin() {
    for (const EntryValues::Parameter& parameter : values_.parameters)
      contents_.write(parameter.buffer, parameter.bytes,
                      wanted_.of(parameter.before, /*step=*/0));
  }

  /// Records the inputs of a step as written, before the iteration that runs
  /// its first tasks.
  void loadInputs() {
    step_ = iteration_ + tasks_.headStepOffset;
    if (!isOfRun(step_)) return;
    for (size_t i = 0; i < tasks_.inputs.size(); ++i)
      if (tasks_.inputs[i] != plan::kAbsent)
        contents_.write(inTurn(tasks_.inputs[i]),
                        bytesOfTensor(entry_.inputs[i]),
                        wanted_.of(values_.inputs[i], step_));
  }

  int64_t bytesOfTensor(const plan::Tensor& tensor) const {
    return plan::localBytes(plan_.groupOf(tensor), tensor, program_.ranks[0]);
  }

  /// Checks parameters, gradients and early outputs before the first update.
  absl::Status checkUpdateBegins() {
    if (std::exchange(hasUpdateBegun_, true)) return absl::OkStatus();
    for (const EntryValues::Parameter& parameter : values_.parameters)
      SBP_RETURN_IF_ERROR(expect({parameter.buffer, parameter.bytes},
                                 parameter.before, "before all updates",
                                 nameAt(parameter.buffer)));
    for (size_t i = 0; i < tasks_.gradients.size(); ++i) {
      const plan::Gradient& gradient = tasks_.gradients[i];
      SBP_RETURN_IF_ERROR(
          expect({gradient.buffer,
                  bytesOf(gradient.elementType, {gradient.numElements})},
                 values_.gradients[i], "before all updates", "a gradient"));
    }
    return expectAll(entry_.outputs, tasks_.outputs, values_.earlyOutputs,
                     "before all updates", "output");
  }

  absl::Status checkEnd() {
    point_ = {static_cast<int64_t>(tasks_.tasks.size())};
    for (const EntryValues::Parameter& parameter : values_.parameters)
      SBP_RETURN_IF_ERROR(expect({parameter.buffer, parameter.bytes},
                                 parameter.after, "in the end",
                                 nameAt(parameter.buffer)));
    SBP_RETURN_IF_ERROR(expectAll(entry_.inputs, tasks_.inputs, values_.inputs,
                                  "in the end", "input"));
    return expectAll(entry_.outputs, tasks_.outputs, values_.outputs,
                     "in the end", "output");
  }

  absl::Status expectAll(const std::vector<plan::Tensor>& tensors,
                         const std::vector<int64_t>& buffers,
                         const std::vector<int64_t>& values,
                         std::string_view when, std::string_view what) const {
    for (size_t i = 0; i < tensors.size(); ++i)
      if (buffers[i] != plan::kAbsent && values[i] != plan::kAbsent)
        SBP_RETURN_IF_ERROR(
            expect({buffers[i], bytesOfTensor(tensors[i])}, values[i], when,
                   fmt::format("{} {}", what, tensors[i].name)));
    return absl::OkStatus();
  }

  absl::Status expect(Bytes bytes, int64_t value, std::string_view when,
                      std::string_view what) const {
    if (bytes.count == 0) return absl::OkStatus();
    bytes.begin = inTurn(bytes.begin);
    const Content wanted = wanted_.of(value, step_);
    const Content found = contents_.read(bytes.begin, bytes.count);
    if (found == wanted) return absl::OkStatus();
    return error("rank {}, {}: {} at {} is {} and not {}", program_.ranks[0],
                 when, what, bytes.begin, makerOf(found), makerOf(wanted));
  }

  const plan::Plan& plan_;
  const plan::Program& program_;
  const plan::Entry& entry_;
  const plan::EntryProgram& tasks_;
  const EntryValues& values_;
  int64_t maxSkew_;
  int64_t numSteps_;  // number of steps that are run
  WantedContents wanted_;
  Contents contents_;
  ProgramPoint point_;
  /// Distance in bytes from the first slot to the slot in use, for each of
  /// Loop::slots of the current loop.
  std::vector<int64_t> shifts_;
  /// Identifies a transfer under way: its index, step and micro-batch.
  using TransferKey = std::tuple<int64_t, int64_t, int64_t>;
  std::map<TransferKey, Bytes> sending_;
  std::map<TransferKey, int64_t> receiving_;  // buffers of receives under way
  std::vector<std::vector<plan::SlotsInUse>> inUse_;  // by loop
  int64_t iteration_ = 0;
  int64_t step_ = 0;  // step of the current task
  bool hasUpdateBegun_ = false;
};

}  // namespace

absl::Status checkValues(const plan::Plan& plan, const plan::Program& program,
                         size_t entry) {
  return Walk(plan, program, entry).run();
}

}  // namespace sbp::proof
