// What the arena of an entry is for while most of it is needed.
//
// Read off the layout of its buffers (codegen/plan/EntryMemory.h), so it is
// what a rank allocates, to the byte.

#ifndef CODEGEN_DRIVER_ARENAUSE_H_
#define CODEGEN_DRIVER_ARENAUSE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/program/Memory.h"

namespace sbp {

/// Something in memory at that moment.
struct ArenaTensor {
  std::string what;  // "parameter @up, tensor<4x8xf32>"
  Location place;    // of what makes it
  int64_t bytes = 0;
};

struct ArenaUse {
  std::string entry;
  Location place;                    // of the entry
  int64_t rank = 0;                  // the first that has so large an arena
  int64_t bytes = 0;                 // of the arena
  std::string moment;                // "while 'nn.gelu' runs in @layer"
  Location momentPlace;              // of that op
  search::MemoryParts parts;         // of these bytes; they add up to them
  std::vector<ArenaTensor> tensors;  // the largest first
};

/// Of each entry of `module`, in any form from the placed one to the local one,
/// the use of its largest arena; the module stays as it is. Nothing, without a
/// diagnostic, if its memory cannot be laid out.
std::optional<std::vector<ArenaUse>> usesOfArenas(ModuleOp module,
                                                  const KernelTarget& target);

/// The same of each rank.program by itself.
std::optional<std::vector<ArenaUse>> usesOfAllArenas(
    ModuleOp module, const KernelTarget& target);

/// The bytes of the largest arena of all entries. Where all that is needed at
/// once is far below `memoryBytes`, a number that is no less, and below it too:
/// to lay out buffers takes much longer than to add them up, where they are
/// many.
std::optional<double> arenaBytesOf(ModuleOp module, const KernelTarget& target,
                                   double memoryBytes);

/// The use of that arena.
std::optional<ArenaUse> largestArenaOf(ModuleOp module,
                                       const KernelTarget& target);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_ARENAUSE_H_
