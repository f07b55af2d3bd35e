#include "codegen/plan/ShareBuffers.h"

#include <limits>
#include <numeric>

#include "llvm/ADT/DenseSet.h"

namespace sbp {
namespace {

using Kind = TaskBuffer::Kind;

constexpr int64_t kNever = -1;
constexpr int64_t kAlways = std::numeric_limits<int64_t>::max();

class Sharer {
 public:
  Sharer(TaskList& list, const KernelProvider& kernels)
      : list_(list), kernels_(kernels) {
    memoryOf_.resize(list.buffers.size());
    std::iota(memoryOf_.begin(), memoryOf_.end(), 0);
  }

  std::vector<int64_t> run() {
    findUses();
    keepOldValues();
    std::vector<ParameterUpdate> copied;
    for (const ParameterUpdate& update : list_.updates)
      if (update.value != update.parameter && !writeInto(update))
        copied.push_back(update);
    list_.updates.clear();
    for (const ParameterUpdate& update : copied)
      addCopy(update.value, update.parameter);
    for (int64_t task = 0; task < numOps_; ++task) reuseOperands(task);
    return std::move(memoryOf_);
  }

 private:
  Kind kindOf(int64_t buffer) const { return list_.buffers[buffer].kind; }

  void findUses() {
    numOps_ = list_.tasks.size();
    writer_.assign(list_.buffers.size(), kNever);
    lastRead_.assign(list_.buffers.size(), kNever);
    for (int64_t task = 0; task < numOps_; ++task) {
      for (int64_t input : list_.tasks[task].inputs) lastRead_[input] = task;
      for (int64_t output : list_.tasks[task].outputs) writer_[output] = task;
    }
    for (int64_t output : list_.outputs) lastRead_[output] = kAlways;
  }

  int64_t addBuffer(TaskBuffer buffer) {
    list_.buffers.push_back(buffer);
    memoryOf_.push_back(memoryOf_.size());
    writer_.push_back(kNever);
    lastRead_.push_back(kNever);
    return memoryOf_.size() - 1;
  }

  /// Copies after all other tasks.
  void addCopy(int64_t from, int64_t to) {
    lastRead_[from] = kAlways;
    ListedTask task;
    task.inputs = {from};
    task.outputs = {to};
    list_.tasks.push_back(std::move(task));
  }

  /// A copy of a parameter's old value, taken before any other copy overwrites
  /// it.
  int64_t oldValueOf(int64_t parameter) {
    TaskBuffer buffer = list_.buffers[parameter];
    buffer.kind = Kind::Temporary;
    int64_t copy = addBuffer(buffer);
    addCopy(parameter, copy);
    return copy;
  }

  /// Copies old values that are outputs, or become the values of parameters.
  void keepOldValues() {
    llvm::DenseSet<int64_t> changing;
    for (const ParameterUpdate& update : list_.updates)
      if (update.value != update.parameter) changing.insert(update.parameter);
    for (int64_t& output : list_.outputs)
      if (changing.contains(output)) {
        output = oldValueOf(output);
        lastRead_[output] = kAlways;
      }
    for (ParameterUpdate& update : list_.updates)
      if (update.value != update.parameter && changing.contains(update.value))
        update.value = oldValueOf(update.value);
  }

  /// Whether `task` may overwrite the memory of `input`, whose value nobody
  /// reads later, with its result number `result`. Read in two places, it may
  /// not: a kernel is told of one operand that it overwrites.
  bool mayOverwrite(const ListedTask& task, int64_t input,
                    size_t result) const {
    int64_t operand = -1;
    for (auto [position, buffer] : llvm::enumerate(task.inputs)) {
      if (memoryOf_[buffer] != memoryOf_[input]) continue;
      if (operand >= 0) return false;
      operand = position;
    }
    return task.isKernel() &&
           kernels_.canWriteInPlace(task.op, result, operand);
  }

  /// Lets the task that makes the value write it to the parameter's buffer;
  /// whether it may.
  bool writeInto(const ParameterUpdate& update) {
    auto [parameter, value] = update;
    if (kindOf(value) != Kind::Temporary || memoryOf_[value] != value ||
        writer_[value] == kNever || lastRead_[parameter] > writer_[value])
      return false;
    if (lastRead_[parameter] == writer_[value]) {
      const ListedTask& task = list_.tasks[writer_[value]];
      size_t result = llvm::find(task.outputs, value) - task.outputs.begin();
      if (!mayOverwrite(task, parameter, result)) return false;
    }
    memoryOf_[value] = parameter;
    return true;
  }

  /// Puts results of a task where operands lie that nobody needs afterwards.
  void reuseOperands(int64_t index) {
    const ListedTask& task = list_.tasks[index];
    for (auto [result, output] : llvm::enumerate(task.outputs))
      for (int64_t operand : task.inputs)
        if (memoryOf_[output] == output &&
            isFreeAfter(index, operand, list_.buffers[output].bytes) &&
            mayOverwrite(task, operand, result))
          memoryOf_[output] = memoryOf_[operand];
  }

  /// Whether the memory of `operand`, of `bytes` bytes, is nobody's when the
  /// task is done.
  bool isFreeAfter(int64_t index, int64_t operand, int64_t bytes) const {
    int64_t memory = memoryOf_[operand];
    return kindOf(memory) == Kind::Temporary && lastRead_[operand] == index &&
           list_.buffers[operand].bytes == bytes &&
           llvm::none_of(list_.tasks[index].outputs, [&](int64_t other) {
             return memoryOf_[other] == memory;
           });
  }

  TaskList& list_;
  const KernelProvider& kernels_;
  int64_t numOps_ = 0;  // tasks before the copies
  std::vector<int64_t> memoryOf_;
  std::vector<int64_t> writer_;    // the task that makes a buffer's value
  std::vector<int64_t> lastRead_;  // the last one that reads it
};

}  // namespace

std::vector<int64_t> shareBuffers(TaskList& list,
                                  const KernelProvider& kernels) { return Sharer(list, kernels).run(); }

}  // namespace sbp
