#include "codegen/plan/PrintBuffers.h"

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

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

class BufferPrinter {
 public:
  BufferPrinter(const EntryMemory& memory, const MemoryText& text,
                llvm::raw_ostream& out)
      : memory_(memory), text_(text), out_(out) {
    for (const std::vector<SlotsInMemory>& ofLoop : memory.slots)
      for (const SlotsInMemory& slots : ofLoop)
        inSlots_.insert(slots.slots.buffers.begin(), slots.slots.buffers.end());
    for (const RotatedMemory& rotated : memory.rotated)
      rotated_[rotated.buffer] = &rotated;
  }

  void run() {
    out_ << "buffers\n";
    for (auto [index, buffer] : llvm::enumerate(memory_.list.buffers)) {
      const auto number = static_cast<int64_t>(index);
      out_ << "  " << text_.buffer(number) << "  " << textOf(buffer.kind);
      out_ << "  " << buffer.type << "  " << buffer.bytes << " bytes";
      printMemory(number);
      out_ << "\n";
    }
  }

 private:
  /// Prints where buffer `number` lies, as far as that is decided.
  void printMemory(int64_t number) {
    if (!memory_.memoryOf.empty() && memory_.memoryOf[number] != number) {
      out_ << "  in " << text_.buffer(memory_.memoryOf[number]);
      return;
    }
    if (inSlots_.contains(number)) {
      out_ << "  in slots";
      return;
    }
    if (memory_.liveRanges.empty() || memory_.liveRanges[number].bytes == 0)
      return;
    if (const RotatedMemory* rotated = rotated_.lookup(number))
      out_ << "  " << rotated->count << " rotating copies";
    out_ << text_.liveRange(number) << text_.offset(number);
  }

  const EntryMemory& memory_;
  const MemoryText& text_;
  llvm::raw_ostream& out_;
  llvm::DenseSet<int64_t> inSlots_;
  llvm::DenseMap<int64_t, const RotatedMemory*> rotated_;  // by buffer
};

}  // namespace

void printBuffers(const EntryMemory& memory, const MemoryText& text,
                  llvm::raw_ostream& out) {
  BufferPrinter(memory, text, out).run();
}

}  // namespace sbp
