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

/// Spells parts of an entry. Where they are parts of a line, two spaces stand
/// before each.
class MemoryText {
 public:
  /// `memory` outlives this.
  explicit MemoryText(const EntryMemory& memory);

  /// Returns the number of a buffer, with its tensor's name if that has one:
  /// "%7:product". A parameter's value of a step ago is "%1:@up@-1".
  std::string buffer(int64_t number) const;

  /// Returns the buffers, with commas between them.
  std::string buffers(ArrayRef<int64_t> numbers) const;

  /// Returns a live range by the numbers of its first and last task,
  /// "  live 3-12". `life` is an index into EntryMemory::lives.
  std::string life(int64_t life) const;

  /// Returns the offset of a live range, "  at 64"; empty before offsets are
  /// known.
  std::string offset(int64_t life) const;

 private:
  std::string task(int64_t index) const;

  const EntryMemory& memory_;
  std::vector<std::string> parameters_;  // names, by buffer
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_MEMORYTEXT_H_
