#include "codegen/plan/ShareBuffers.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace sbp {
namespace {

using Kind = TaskBuffer::Kind;

constexpr int64_t kNever = -1;
constexpr int64_t kAlways = std::numeric_limits<int64_t>::max();

/// Decides which buffers of a list share memory.
class Sharer {
 public:
  explicit Sharer(TaskList& list) : list_(list) {
    memoryOf_.resize(list.buffers.size());
    std::iota(memoryOf_.begin(), memoryOf_.end(), 0);
  }

  std::vector<int64_t> run() {
    findUses();
    for (const ListedLoop& loop : list_.loops) carryInto(loop);
    keepOldValues();
    std::vector<ParameterUpdate> copied;
    for (const ParameterUpdate& update : list_.updates)
      if (update.value != update.parameter && !writeInto(update))
        copied.push_back(update);
    list_.updates.clear();
    for (const ParameterUpdate& update : copied)
      addCopy(update.value, update.parameter);
    for (int64_t task = 0; task < numOps_; ++task) reuseOperands(task);
    dropIdleCopies();
    return std::move(memoryOf_);
  }

 private:
  Kind kindOf(int64_t buffer) const { return list_.buffers[buffer].kind; }

  void findUses() {
    numOps_ = list_.tasks.size();
    writer_.assign(list_.buffers.size(), kNever);
    lastRead_.assign(list_.buffers.size(), kNever);
    readingBlocks_.resize(list_.buffers.size());
    for (int64_t task = 0; task < numOps_; ++task) {
      for (int64_t input : list_.tasks[task].inputs) {
        // A buffer that several tasks of a bucket read is free only when the
        // bucket has run.
        lastRead_[input] =
            std::max(lastRead_[input], areTogether(lastRead_[input], task)
                                           ? endOfBucket(list_.tasks, task)
                                           : task);
        addUnlessLast(list_.tasks[task].block, readingBlocks_[input]);
      }
      for (int64_t output : list_.tasks[task].outputs) writer_[output] = task;
    }
    for (int64_t output : list_.outputs) lastRead_[output] = kAlways;
    for (const ListedTask& finish : list_.lateFinishes)
      lastRead_[finish.end->buffer] = kAlways;
    // All gradients are checked together, when the last one is complete.
    for (const ListedGradient& gradient : list_.gradients)
      lastRead_[gradient.buffer] =
          std::max(lastRead_[gradient.buffer], list_.firstUpdate);
    // The next iteration reads these buffers again, unless their last reader is
    // a task that runs once, after all iterations.
    for (const ListedLoop& loop : list_.loops)
      for (int64_t kept : keptIn(loop, list_))
        if (lastRead_[kept] < loop.first || lastRead_[kept] >= loop.last ||
            !runsOnce(loop, list_.tasks[lastRead_[kept]]))
          lastRead_[kept] = std::max(lastRead_[kept], loop.last);
  }

  /// Whether tasks `one` and `other` are in the same bucket.
  bool areTogether(int64_t one, int64_t other) const {
    return one >= 0 && one < numOps_ && list_.tasks[one].bucket >= 0 &&
           list_.tasks[one].bucket == list_.tasks[other].bucket;
  }

  int64_t addBuffer(TaskBuffer buffer) {
    list_.buffers.push_back(buffer);
    memoryOf_.push_back(memoryOf_.size());
    writer_.push_back(kNever);
    lastRead_.push_back(kNever);
    readingBlocks_.emplace_back();
    return memoryOf_.size() - 1;
  }

  /// Adds a copy, after all other tasks.
  void addCopy(int64_t from, int64_t to) {
    lastRead_[from] = kAlways;
    ListedTask task;
    task.number = list_.nextNumber++;
    task.inputs = {from};
    task.outputs = {to};
    list_.tasks.push_back(std::move(task));
  }

  /// Adds a copy of a parameter's old value, made before any other copy
  /// overwrites it, and returns its buffer.
  int64_t oldValueOf(int64_t parameter) {
    TaskBuffer buffer = list_.buffers[parameter];
    buffer.kind = Kind::Temporary;
    int64_t copy = addBuffer(buffer);
    addCopy(parameter, copy);
    return copy;
  }

  /// Adds copies of those old values that are outputs, or new values of other
  /// parameters.
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

  /// Whether `task` may write its result `output` over `input`, which no later
  /// task reads. It may not if it reads `input` as two operands: a kernel
  /// overwrites one given operand, and assumes that no other overlaps the
  /// result.
  bool mayOverwrite(const ListedTask& task, int64_t input,
                    int64_t output) const {
    int64_t operand = -1;
    for (auto [position, buffer] : llvm::enumerate(task.inputs)) {
      if (memoryOf_[buffer] != memoryOf_[input]) continue;
      if (operand >= 0) return false;
      operand = position;
    }
    return llvm::any_of(task.needs.inPlace, [&](auto pair) {
      return pair.first == operand && task.outputs[pair.second] == output;
    });
  }

  /// Lets the task that makes the new value write it to the parameter's buffer,
  /// if it may. Returns whether it may.
  bool writeInto(const ParameterUpdate& update) {
    auto [parameter, value] = update;
    if (kindOf(value) != Kind::Temporary || memoryOf_[value] != value ||
        writer_[value] == kNever || writer_[value] < list_.firstUpdate ||
        isCarried(value) || lastRead_[parameter] > writer_[value])
      return false;
    if (lastRead_[parameter] == writer_[value]) {
      if (!mayOverwrite(list_.tasks[writer_[value]], parameter, value))
        return false;
    } else if (areTogether(lastRead_[parameter], writer_[value])) {
      return false;
    }
    memoryOf_[value] = parameter;
    return true;
  }

  /// Whether `buffer` is carried by a loop, which sets it to zero first.
  bool isCarried(int64_t buffer) const {
    return llvm::any_of(list_.loops, [&](const ListedLoop& loop) {
      return llvm::is_contained(loop.carried, buffer);
    });
  }

  /// Lets the tasks of `loop` that make carried values write them to the
  /// carried buffers, if they may.
  void carryInto(const ListedLoop& loop) {
    llvm::DenseMap<int64_t, int64_t> lastRead;  // in the loop
    for (int64_t task = loop.first; task < loop.last; ++task)
      for (int64_t input : list_.tasks[task].inputs) lastRead[input] = task;
    for (int64_t task = loop.first; task < loop.last; ++task) {
      if (list_.tasks[task].op) continue;
      int64_t value = list_.tasks[task].inputs[0];
      int64_t carried = list_.tasks[task].outputs[0];
      int64_t writer = writer_[value];
      if (!llvm::is_contained(loop.carried, carried) || writer < loop.first ||
          memoryOf_[value] != value)
        continue;
      auto read = lastRead.find(carried);
      bool isFree = read == lastRead.end() || read->second < writer ||
                    (read->second == writer &&
                     mayOverwrite(list_.tasks[writer], carried, value));
      if (isFree) memoryOf_[value] = carried;
    }
  }

  static void addUnlessLast(int64_t block,
                            llvm::SmallVectorImpl<int64_t>& blocks) {
    if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
  }

  /// Whether all blocks that read `buffer` have run when `block`, a reader,
  /// runs. That is known if the only other reader is the block that makes its
  /// value; the order of other blocks is not known here.
  bool isReadBefore(int64_t buffer, int64_t block) const {
    if (block < 0) return true;  // all earlier loops have ended
    int64_t maker =
        writer_[buffer] == kNever ? block : list_.tasks[writer_[buffer]].block;
    return llvm::all_of(readingBlocks_[buffer], [&](int64_t reader) {
      return reader == block || reader == maker;
    });
  }

  /// Whether `task` runs once, after all iterations of its loop have made their
  /// values.
  bool runsAfterIterations(const ListedTask& task) const {
    return llvm::any_of(list_.loops, [&](const ListedLoop& loop) {
      return task.block >= 0 && runsOnce(loop, task) &&
             &task >= &list_.tasks[loop.first] &&
             &task < list_.tasks.data() + loop.last;
    });
  }

  /// Puts results of task `index` into the memory of operands that are dead
  /// afterwards.
  void reuseOperands(int64_t index) {
    const ListedTask& task = list_.tasks[index];
    for (auto [position, result] : task.needs.inPlace) {
      int64_t operand = task.inputs[position];
      int64_t output = task.outputs[result];
      int64_t memory = memoryOf_[operand];
      if (kindOf(memory) != Kind::Temporary || lastRead_[operand] != index ||
          memoryOf_[output] != output ||
          list_.buffers[operand].bytes != list_.buffers[output].bytes)
        continue;
      if (!runsAfterIterations(task) && !isReadBefore(operand, task.block))
        continue;
      bool isTaken = llvm::any_of(task.outputs, [&](int64_t other) {
        return memoryOf_[other] == memory;
      });
      if (!isTaken && mayOverwrite(task, operand, output))
        memoryOf_[output] = memory;
    }
  }

  /// Removes the copies whose result and operand share memory.
  void dropIdleCopies() {
    std::vector<int64_t> movedTo;
    std::vector<ListedTask> kept;
    for (ListedTask& task : list_.tasks) {
      movedTo.push_back(kept.size());
      if (task.op || memoryOf_[task.inputs[0]] != memoryOf_[task.outputs[0]])
        kept.push_back(std::move(task));
    }
    movedTo.push_back(kept.size());
    list_.tasks = std::move(kept);
    list_.firstUpdate = movedTo[list_.firstUpdate];
    for (ListedLoop& loop : list_.loops) {
      loop.first = movedTo[loop.first];
      loop.last = movedTo[loop.last];
    }
  }

  TaskList& list_;
  int64_t numOps_ = 0;  // tasks before the copies
  std::vector<int64_t> memoryOf_;
  std::vector<int64_t> writer_;    // by buffer: the task that writes it
  std::vector<int64_t> lastRead_;  // by buffer: the last task that reads it
  std::vector<SmallVector<int64_t, 2>> readingBlocks_;
};

}  // namespace

std::vector<int64_t> shareBuffers(TaskList& list) { return Sharer(list).run(); }

}  // namespace sbp
