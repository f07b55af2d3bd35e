#include "codegen/plan/PlanValues.h"

#include <map>

#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

using EndKind = plan::TransferTask::Kind;

/// Finds the values of an entry's tasks.
class ValueFinder {
 public:
  ValueFinder(const EntryMemory& memory, ArrayRef<int64_t> offsets,
              const plan::EntryProgram& built)
      : list_(memory.list), memory_(memory), offsets_(offsets), built_(built) {}

  plan::EntryValues run() {
    findCopies();
    plan::EntryValues values;
    values.loopOf.assign(list_.buffers.size(), -1);
    for (auto [number, loop] : llvm::enumerate(list_.loops)) {
      for (int64_t index = loop.first; index < loop.last; ++index)
        if (!runsOnce(loop, list_.tasks[index]))
          for (int64_t output : list_.tasks[index].outputs)
            values.loopOf[output] = number;
      for (int64_t carried : loop.carried) values.loopOf[carried] = number;
      if (loop.iterationBuffer >= 0)
        values.loopOf[loop.iterationBuffer] = number;
      plan::EntryValues::Loop& own = values.loops.emplace_back();
      for (auto [carried, next, iterations] : llvm::zip_equal(
               loop.carried, loop.nextValues, loop.carryingIterations))
        own.carried.push_back(
            {carried, valueOf(next), {iterations.begin(), iterations.end()}});
      own.microBatchValue = loop.iterationBuffer;
    }
    for (auto [task, built, loop] : llvm::zip_equal(
             list_.tasks, built_.tasks, plan::loopsOfTasks(built_))) {
      values.tasks.push_back(ofTask(task, built));
      const bool isOfTimes = loop >= 0 && !runsOnce(list_.loops[loop], task);
      values.tasks.back().loop = isOfTimes ? loop : -1;
    }
    addOfEntry(values);
    return values;
  }

 private:
  /// Notes which buffers hold copies. Leaves out carried buffers and
  /// parameters: they hold several values in turn, and the copy is the last of
  /// these.
  void findCopies() {
    llvm::DenseSet<int64_t> carried;
    for (const ListedLoop& loop : list_.loops)
      carried.insert(loop.carried.begin(), loop.carried.end());
    for (const ListedTask& task : list_.tasks)
      if (!task.op && !carried.contains(task.outputs[0]) &&
          list_.buffers[task.outputs[0]].kind == TaskBuffer::Kind::Temporary)
        copied_[task.outputs[0]] = task.inputs[0];
  }

  int64_t valueOf(int64_t buffer) const {
    for (auto copy = copied_.find(buffer); copy != copied_.end();
         copy = copied_.find(buffer))
      buffer = copy->second;
    return buffer;
  }
  std::vector<int64_t> valuesOf(ArrayRef<int64_t> buffers) const {
    std::vector<int64_t> values;
    for (int64_t buffer : buffers) values.push_back(valueOf(buffer));
    return values;
  }

  plan::TaskValues ofTask(const ListedTask& task, const plan::Task& built) {
    plan::TaskValues values;
    if (task.end) {
      int64_t value = valueOf(task.end->buffer);
      if (task.end->kind == EndKind::kStartSend ||
          task.end->kind == EndKind::kFinishSend)
        values.read = {value};
      if (task.end->kind == EndKind::kFinishReceive) values.written = {value};
      return values;
    }
    values.read = valuesOf(task.inputs);
    values.written = task.op ? valuesOf(task.outputs) : values.read;
    values.scratchBytes = task.needs.scratchBytes;
    if (const auto* collective = std::get_if<plan::CollectiveTask>(&built))
      if (!plan::isLocal(collective->kind))
        values.collectiveIndex = numCollectives_[collective->group]++;
    return values;
  }

  /// Whether `buffer` is written among the updates. `loop` is the loop that
  /// makes its value; -1: none.
  bool isUpdated(int64_t buffer, int64_t loop) const {
    if (loop >= 0) return list_.loops[loop].first >= list_.firstUpdate;
    return llvm::any_of(
        llvm::ArrayRef(list_.tasks).drop_front(list_.firstUpdate),
        [&](const ListedTask& task) {
          return llvm::is_contained(task.outputs, buffer);
        });
  }

  void addOfEntry(plan::EntryValues& values) const {
    std::map<int64_t, int64_t> updated;  // the new value, by parameter
    for (const ParameterUpdate& update : memory_.updates)
      updated[update.parameter] = valueOf(update.value);
    for (auto [index, buffer] : llvm::enumerate(list_.buffers)) {
      auto value = static_cast<int64_t>(index);
      if (buffer.kind == TaskBuffer::Kind::Input)
        values.inputs.push_back(value);
      if (buffer.kind != TaskBuffer::Kind::Parameter) continue;
      auto known = updated.find(value);
      values.parameters.push_back(
          {offsets_[value], buffer.bytes, value,
           known == updated.end() ? value : known->second});
    }
    values.outputs = valuesOf(list_.outputs);
    for (auto [output, value] : llvm::zip_equal(list_.outputs, values.outputs))
      values.earlyOutputs.push_back(
          isUpdated(output, values.loopOf[value]) ? plan::kAbsent : value);
    for (const ListedGradient& gradient : list_.gradients)
      values.gradients.push_back(valueOf(gradient.buffer));
  }

  const TaskList& list_;
  const EntryMemory& memory_;
  ArrayRef<int64_t> offsets_;
  const plan::EntryProgram& built_;
  llvm::DenseMap<int64_t, int64_t> copied_;    // the copied buffer, by copy
  std::map<int64_t, int64_t> numCollectives_;  // by group
};

}  // namespace

plan::EntryValues valuesOf(const EntryMemory& memory, ArrayRef<int64_t> offsets,
                           const plan::EntryProgram& built) {
  return ValueFinder(memory, offsets, built).run();
}

}  // namespace sbp
