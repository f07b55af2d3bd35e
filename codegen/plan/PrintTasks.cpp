#include "codegen/plan/PrintTasks.h"

#include <cstddef>

#include "codegen/plan/MemoryText.h"
#include "codegen/plan/PrintBuffers.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
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

/// Prints one entry. Items of a line are two spaces apart.
class TaskPrinter {
 public:
  TaskPrinter(const EntryMemory& memory, llvm::raw_ostream& out)
      : memory_(memory), list_(memory.list), text_(memory), out_(out) {}

  void run() {
    printCalls();
    printTasks();
    printEnds();
    printBuffers(memory_, text_, out_);
  }

 private:
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
    if (list_.maxSkew > 0)
      out_ << "steps overlap, at most " << list_.maxSkew
           << "; step offset before the loop: " << list_.stepOffset << "\n";
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
    if (list_.lateFinishes.empty()) return;
    printLate();
    for (const ListedTask& task : list_.lateFinishes)
      printTask(task, kNone, /*indent=*/2);
  }

  void printLate() { out_ << "  -- step offset -" << list_.maxSkew << " --\n"; }

  void printLoop(size_t number) {
    const ListedLoop& loop = list_.loops[number];
    out_ << "  loop, iterations: " << loop.times << "\n";
    printCarried(loop);
    int64_t index = loop.first;
    auto printUntil = [&](int64_t last, int indent) {
      for (; index < last; ++index)
        printTask(list_.tasks[index], scratchOf(index), indent);
    };
    for (size_t block = 0; block < loop.blocks.size(); ++block) {
      const auto own = static_cast<int64_t>(block);
      out_ << "    block " << nameOfBlock(loop, own)
           << (llvm::is_contained(loop.onceBlocks, own) ? ", once" : "")
           << ", runs: " << numRunsOf(loop, own) << "\n";
      int64_t last = index;
      while (last < loop.last && list_.tasks[last].block == own) ++last;
      printUntil(last, /*indent=*/6);
    }
    printUntil(loop.last, /*indent=*/4);
    printOrder(loop);
    if (number >= memory_.slots.size()) return;
    for (const SlotsInMemory& slots : memory_.slots[number]) printSlots(slots);
  }

  void printCarried(const ListedLoop& loop) {
    if (loop.iterationBuffer >= 0) {
      out_ << "    counts in " << text_.buffer(loop.iterationBuffer) << "\n";
    }
    for (size_t index = 0; index < loop.carried.size(); ++index) {
      out_ << "    carries " << text_.buffer(loop.carried[index]) << " <- "
           << text_.buffer(loop.nextValues[index]);
      if (ArrayRef<int64_t> iterations = loop.carryingIterations[index];
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
      out_ << ", agreed on in " << text_.buffer(loop.messages->buffer);
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

  void printSlots(const SlotsInMemory& slots) {
    out_ << "    slots: " << slots.slots.numSlots << " of " << slots.bytes
         << " bytes  blocks ";
    llvm::interleaveComma(slots.slots.users, out_);
    out_ << text_.liveRange(slots.liveRange) << text_.offset(slots.liveRange)
         << "\n      " << text_.buffers(slots.slots.buffers) << "\n";
  }

  void printTask(const ListedTask& task, int64_t scratch, int indent) {
    out_.indent(indent) << llvm::format("%4d", static_cast<int>(task.number))
                        << "  " << text_.buffers(task.outputs);
    if (!task.outputs.empty()) out_ << " = ";
    if (task.end)
      out_ << textOf(task.end->kind) << " @"
           << rank::transferOf(task.op).getSymName();
    else if (!task.op)
      out_ << "copy";
    else if (task.numOps() > 1)
      out_ << task.numOps() << " x " << task.op->getName();
    else
      out_ << task.op->getName();
    out_ << "(" << text_.buffers(task.inputs) << ")";
    if (task.end && task.end->kind == EndKind::kStartReceive) {
      out_ << "  into " << text_.buffer(task.end->buffer);
    }
    if (task.op && task.call > 0) out_ << "  call " << task.call;
    if (task.pipelineTask && task.block < 0)
      out_ << "  of " << task.pipelineTask->text();
    if (task.bucket >= 0) out_ << "  bucket " << task.bucket;
    if (task.needs.scratchBytes > 0)
      out_ << "  scratch " << task.needs.scratchBytes << " bytes";
    if (scratch != kNone) out_ << text_.offset(scratch);
    out_ << "\n";
  }

  void printEnds() {
    for (const ListedGradient& gradient : list_.gradients) {
      out_ << "gradient " << text_.buffer(gradient.buffer) << "  for "
           << gradient.optimizer->getName();
      if (!gradient.gathers.empty())
        out_ << " after " << gradient.gathers.size() << " gathers";
      out_ << "\n";
    }
    for (const ParameterUpdate& update : list_.updates) {
      out_ << "update " << text_.buffer(update.parameter) << " <- "
           << text_.buffer(update.value) << "\n";
    }
    for (int64_t output : list_.outputs) {
      out_ << "output " << text_.buffer(output) << "\n";
    }
  }

  /// Whether live ranges are known.
  bool hasLayout() const { return !memory_.liveRanges.empty(); }

  int64_t scratchOf(int64_t index) const {
    return hasLayout() ? memory_.scratchOf[index] : kNone;
  }

  const EntryMemory& memory_;
  const TaskList& list_;
  MemoryText text_;
  llvm::raw_ostream& out_;
};

}  // namespace

std::string textOf(const EntryMemory& memory) {
  std::string text;
  llvm::raw_string_ostream out(text);
  TaskPrinter(memory, out).run();
  return text;
}

}  // namespace sbp
