#include "codegen/plan/PrintTasks.h"

#include <cstddef>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/names/Names.h"
#include "runtime/plan/Plan.h"

namespace sbp {
namespace {

using EndKind = plan::TransferTask::Kind;

constexpr int64_t kNone = -1;

StringRef textOf(EndKind kind) {
  switch (kind) {
    case EndKind::kStartSend:
      return "start send";
    case EndKind::kFinishSend:
      return "finish send";
    case EndKind::kStartReceive:
      return "start receive";
    case EndKind::kFinishReceive:
      return "finish receive";
  }
  llvm_unreachable("a transfer has four kinds of ends");
}

StringRef textOf(TaskBuffer::Kind kind) {
  switch (kind) {
    case TaskBuffer::Kind::Temporary:
      return "temporary";
    case TaskBuffer::Kind::Input:
      return "input";
    case TaskBuffer::Kind::Parameter:
      return "parameter";
  }
  llvm_unreachable("a buffer has one of three kinds");
}

/// Prints one entry. Items of a line are two spaces apart.
class TaskPrinter {
 public:
  TaskPrinter(const EntryMemory& memory, llvm::raw_ostream& out)
      : memory_(memory), list_(memory.list), out_(out) {
    nameParameters();
  }

  void run() {
    printCalls();
    printTasks();
    printEnds();
    printBufferLines();
  }

 private:
  /// Finds the parameters' names: their buffers come first, in the order of the
  /// program.
  void nameParameters() {
    auto program = llvm::cast<rank::ProgramOp>(
        list_.calls.front().function->getParentOp());
    auto parameters = program.getBody().getOps<nn::ParameterOp>();
    auto next = parameters.begin();
    for (const TaskBuffer& buffer : list_.buffers) {
      if (buffer.kind != TaskBuffer::Kind::Parameter) break;
      if (buffer.stepsAgo == 0)
        parameterNames_.push_back("@" + (*next++).getSymName().str());
      else
        parameterNames_.push_back(parameterNames_.back());
    }
  }

  std::string nameOf(int64_t buffer) const {
    if (buffer < static_cast<int64_t>(parameterNames_.size()))
      return parameterNames_[buffer];
    Value value = list_.buffers[buffer].value;
    return value ? nameIn(locationOf(value)) : "";
  }

  /// Prints the number and the name of a buffer: "%7:product".
  void printBuffer(int64_t buffer) {
    out_ << "%" << buffer;
    if (std::string name = nameOf(buffer); !name.empty()) out_ << ":" << name;
  }

  void printBuffers(ArrayRef<int64_t> buffers) {
    llvm::interleaveComma(buffers, out_,
                          [&](int64_t buffer) { printBuffer(buffer); });
  }

  void printCalls() {
    for (auto [number, call] : llvm::enumerate(list_.calls)) {
      mlir::func::FuncOp function = call.function;
      if (call.caller < 0)
        out_ << "entry @" << function.getName();
      else
        out_ << "  call " << number << ": @" << function.getName()
             << ", from call " << call.caller;
      out_ << "\n";
    }
    if (list_.lag > 0)
      out_ << "steps overlap: at most " << list_.lag
           << " apart; tasks before the loop run " << list_.stepOffset
           << " steps ahead\n";
  }

  void printTasks() {
    out_ << "tasks\n";
    const auto numTasks = static_cast<int64_t>(list_.tasks.size());
    const int64_t firstLate = hasLayout() ? memory_.firstLate : numTasks;
    size_t loop = 0;
    auto isAt = [&](int64_t index) {
      return loop < list_.loops.size() && list_.loops[loop].first <= index;
    };
    for (int64_t index = 0;;) {
      if (index == list_.firstUpdate && index < firstLate)
        out_ << "  -- updates --\n";
      while (isAt(index) && list_.loops[loop].last <= index) printLoop(loop++);
      if (isAt(index)) {
        printLoop(loop);
        index = list_.loops[loop++].last;
        continue;
      }
      if (index == firstLate && index < numTasks) printLate();
      if (index == numTasks) break;
      printTask(list_.tasks[index], scratchOf(index), /*indent=*/2);
      ++index;
    }
    if (list_.late.empty()) return;
    printLate();
    for (const ListedTask& task : list_.late)
      printTask(task, kNone, /*indent=*/2);
  }

  void printLate() {
    out_ << "  -- for the step " << list_.lag << " steps earlier --\n";
  }

  void printLoop(size_t number) {
    const ListedLoop& loop = list_.loops[number];
    out_ << "  loop: " << loop.times << " iterations\n";
    printCarried(loop);
    int64_t index = loop.first;
    auto printUntil = [&](int64_t last, int indent) {
      for (; index < last; ++index)
        printTask(list_.tasks[index], scratchOf(index), indent);
    };
    for (size_t block = 0; block < loop.blocks.size(); ++block) {
      const auto own = static_cast<int64_t>(block);
      out_ << "    block " << nameOfBlock(loop, own) << ": "
           << timesOf(loop, own) << " runs";
      if (llvm::is_contained(loop.once, own)) out_ << ", on the sums of all";
      out_ << "\n";
      int64_t last = index;
      while (last < loop.last && list_.tasks[last].block == own) ++last;
      printUntil(last, /*indent=*/6);
    }
    printUntil(loop.last, /*indent=*/4);
    printOrder(loop);
    if (number >= memory_.slots.size()) return;
    for (const SlotsInMemory& slots : memory_.slots[number])
      printSlots(loop, slots);
  }

  void printCarried(const ListedLoop& loop) {
    if (loop.iterationBuffer >= 0) {
      out_ << "    counts in ";
      printBuffer(loop.iterationBuffer);
      out_ << "\n";
    }
    for (size_t index = 0; index < loop.carried.size(); ++index) {
      out_ << "    carries ";
      printBuffer(loop.carried[index]);
      out_ << " <- ";
      printBuffer(loop.given[index]);
      if (ArrayRef<int64_t> iterations = loop.carriedFor[index];
          !iterations.empty()) {
        out_ << "  in iterations ";
        llvm::interleaveComma(iterations, out_);
      }
      out_ << "\n";
    }
    if (!loop.messages) return;
    out_ << "    next block by messages in " << loop.messages->group
         << ", urgencies ";
    llvm::interleaveComma(loop.messages->urgencies, out_);
    if (loop.messages->buffer >= 0) {
      out_ << ", agreed on in ";
      printBuffer(loop.messages->buffer);
    }
    out_ << "\n";
  }

  /// Returns the number and the task of a block: "2 (1F before)".
  static std::string nameOfBlock(const ListedLoop& loop, int64_t block) {
    const std::string text = loop.blocks[block].text();
    return std::to_string(block) + (text.empty() ? "" : " (" + text + ")");
  }

  /// Prints the runs of blocks in their order, each as the block's number and
  /// the micro-batch; those of another step with the step's offset: "3:0+1".
  void printOrder(const ListedLoop& loop) {
    constexpr size_t kRunsInLine = 16;
    for (auto [index, run] : llvm::enumerate(loop.order)) {
      if (index % kRunsInLine == 0)
        out_ << (index == 0 ? "    order" : "\n         ");
      out_ << " " << run.block << ":" << run.microBatch;
      if (run.stepOffset != 0)
        out_ << llvm::format("%+d", static_cast<int>(run.stepOffset));
    }
    if (!loop.order.empty()) out_ << "\n";
  }

  void printSlots(const ListedLoop& loop, const SlotsInMemory& slots) {
    out_ << "    " << slots.slots.numSlots << " slots of " << slots.bytes
         << " bytes for blocks ";
    llvm::interleaveComma(slots.slots.users, out_);
    printLife(slots.life);
    printOffset(slots.life);
    out_ << "\n      ";
    printBuffers(slots.slots.buffers);
    out_ << "\n";
  }

  void printTask(const ListedTask& task, int64_t scratch, int indent) {
    out_.indent(indent) << llvm::format("%4d", static_cast<int>(task.number))
                        << "  ";
    printBuffers(task.outputs);
    if (!task.outputs.empty()) out_ << " = ";
    if (task.end)
      out_ << textOf(task.end->kind) << " @"
           << rank::transferOf(task.op).getSymName();
    else if (!task.op)
      out_ << "copy";
    else if (task.numOps > 1)
      out_ << task.numOps << " x " << task.op->getName();
    else
      out_ << task.op->getName();
    out_ << "(";
    printBuffers(task.inputs);
    out_ << ")";
    if (task.end && task.end->kind == EndKind::kStartReceive) {
      out_ << "  into ";
      printBuffer(task.end->buffer);
    }
    if (task.op && task.call > 0) out_ << "  call " << task.call;
    if (task.pipelineTask) out_ << "  of " << task.pipelineTask->text();
    if (task.bucket >= 0) out_ << "  bucket " << task.bucket;
    if (task.needs.scratchBytes > 0)
      out_ << "  scratch " << task.needs.scratchBytes << " bytes";
    if (scratch != kNone) printOffset(scratch);
    out_ << "\n";
  }

  void printEnds() {
    for (const ListedGradient& gradient : list_.gradients) {
      out_ << "gradient ";
      printBuffer(gradient.buffer);
      out_ << "  for " << gradient.optimizer->getName();
      if (!gradient.gathers.empty())
        out_ << " after " << gradient.gathers.size() << " gathers";
      out_ << "\n";
    }
    for (const ParameterUpdate& update : list_.updates) {
      out_ << "update ";
      printBuffer(update.parameter);
      out_ << " <- ";
      printBuffer(update.value);
      out_ << "\n";
    }
    for (int64_t output : list_.outputs) {
      out_ << "output ";
      printBuffer(output);
      out_ << "\n";
    }
  }

  void printBufferLines() {
    out_ << "buffers\n";
    for (auto [index, buffer] : llvm::enumerate(list_.buffers)) {
      const auto number = static_cast<int64_t>(index);
      out_ << "  ";
      printBuffer(number);
      out_ << "  " << textOf(buffer.kind);
      if (buffer.stepsAgo > 0) out_ << " " << buffer.stepsAgo << " steps ago";
      out_ << "  " << buffer.type << "  " << buffer.bytes << " bytes";
      printMemory(number);
      out_ << "\n";
    }
  }

  /// Prints where buffer `number` lies, as far as that is decided. The program
  /// places parameters, and slots are printed with their loop.
  void printMemory(int64_t number) {
    if (!memory_.memoryOf.empty() && memory_.memoryOf[number] != number) {
      out_ << "  in ";
      printBuffer(memory_.memoryOf[number]);
      return;
    }
    if (list_.buffers[number].kind == TaskBuffer::Kind::Parameter ||
        !hasLayout())
      return;
    if (isInSlots(number)) {
      out_ << "  in slots";
      return;
    }
    if (memory_.lives[number].bytes == 0) return;
    for (const RotatedMemory& rotated : memory_.rotated)
      if (rotated.buffer == number)
        out_ << "  rotates in " << rotated.count << " of " << rotated.bytes
             << " bytes";
    printLife(number);
    printOffset(number);
  }

  bool isInSlots(int64_t number) const {
    return llvm::any_of(memory_.slots, [&](const auto& ofLoop) {
      return llvm::any_of(ofLoop, [&](const SlotsInMemory& slots) {
        return llvm::is_contained(slots.slots.buffers, number);
      });
    });
  }

  /// Whether live ranges are known.
  bool hasLayout() const { return !memory_.lives.empty(); }

  int64_t scratchOf(int64_t index) const {
    return hasLayout() ? memory_.scratchOf[index] : kNone;
  }

  /// Prints a live range by the numbers of its first and last task.
  void printLife(int64_t life) {
    const auto [bytes, first, last] = memory_.lives[life];
    auto print = [&](int64_t index) {
      if (index < static_cast<int64_t>(list_.tasks.size()))
        out_ << list_.tasks[index].number;
      else
        out_ << "end";
    };
    out_ << "  live ";
    if (first > last) {
      out_ << "never";
      return;
    }
    print(first);
    out_ << "-";
    print(last);
  }

  void printOffset(int64_t life) {
    if (!memory_.layout.offsets.empty())
      out_ << "  at " << memory_.layout.offsets[life];
  }

  const EntryMemory& memory_;
  const TaskList& list_;
  llvm::raw_ostream& out_;
  std::vector<std::string> parameterNames_;  // by buffer
};

}  // namespace

std::string textOf(const EntryMemory& memory) {
  std::string text;
  llvm::raw_string_ostream out(text);
  TaskPrinter(memory, out).run();
  return text;
}

}  // namespace sbp
