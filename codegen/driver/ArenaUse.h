// The use of an entry's arena at the moment when most of it is needed.
//
// It is read off the layout of the buffers (codegen/plan/EntryMemory.h), so its
// bytes are exactly those that a rank allocates.

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

/// A tensor that is in memory at that moment.
struct ArenaTensor {
  std::string what;   // "parameter @up, tensor<4x8xf32>"
  Location location;  // location of the op that makes it
  int64_t bytes = 0;
};

/// The largest arena of an entry, and what it holds when most is needed.
struct ArenaUse {
  std::string entry;
  Location location;                 // location of the entry
  int64_t rank = 0;                  // the first rank with this arena
  int64_t bytes = 0;                 // size of the arena
  std::string moment;                // "while 'nn.gelu' runs in @layer"
  Location momentLocation;           // location of that op
  search::MemoryParts parts;         // their sum is `bytes`
  std::vector<ArenaTensor> tensors;  // the largest first
};

/// Returns for each entry of `module` the use of its largest arena. `module` is
/// in any form from the placed one to the local one, and stays as it is.
/// Returns nothing, without a diagnostic, if the memory cannot be laid out.
std::optional<std::vector<ArenaUse>> usesOfArenas(ModuleOp module,
                                                  const KernelTarget& target);

/// Returns the use of each entry's arena in each rank.program; otherwise as
/// usesOfArenas.
std::optional<std::vector<ArenaUse>> usesOfAllArenas(
    ModuleOp module, const KernelTarget& target);

/// Returns the bytes of the largest arena of all entries. If the bytes that are
/// live at once are far below `memoryBytes`, returns an upper bound that is
/// below it too, since laying out many buffers takes much longer than adding
/// them up. Returns nothing where usesOfArenas does.
std::optional<double> arenaBytesOf(ModuleOp module, const KernelTarget& target,
                                   double memoryBytes);

/// Returns the use of the largest arena of all entries; nothing where
/// usesOfArenas returns nothing.
std::optional<ArenaUse> largestArenaOf(ModuleOp module,
                                       const KernelTarget& target);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_ARENAUSE_H_
