// Parts of the text of an entry's tasks and memory: the names of buffers, their
// live ranges and their offsets.

#ifndef CODEGEN_PLAN_MEMORYTEXT_H_
#define CODEGEN_PLAN_MEMORYTEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/plan/EntryMemory.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Spells parts of an entry. Items of a line are two spaces apart, so the texts
/// of liveRange() and offset() begin with two spaces.
class MemoryText {
 public:
  /// `memory` must outlive this object.
  explicit MemoryText(const EntryMemory& memory);

  /// Returns the number of a buffer, with the name of its tensor or parameter,
  /// if it has one: "%7:product", "%0:@up". The buffer of a parameter's value
  /// one step ago is "%1:@up@-1".
  std::string buffer(int64_t number) const;

  /// Returns the buffers, with commas between them.
  std::string buffers(ArrayRef<int64_t> numbers) const;

  /// Returns a live range by the numbers of its first and last task,
  /// "  live 3-12", or "  live never". "end" is the time after the last task.
  /// `index` is the index of the range in EntryMemory::liveRanges.
  std::string liveRange(int64_t index) const;

  /// Returns where the memory of a live range lies, "  at 64", in bytes after
  /// the parameters; empty before offsets are known. `index` is the index of
  /// the range in EntryMemory::liveRanges.
  std::string offset(int64_t index) const;

 private:
  std::string task(int64_t index) const;

  const EntryMemory& memory_;
  std::vector<std::string> parameters_;  // names, by buffer
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_MEMORYTEXT_H_
