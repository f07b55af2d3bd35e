// What an arena holds at the moment when most of it is needed.
//
// An arena is the memory that a rank allocates for one entry. Its content is
// read off the layout of the buffers (codegen/plan/EntryMemory.h), so its size
// is exactly what the rank allocates.

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

/// A tensor that is in the arena at that moment.
struct ArenaTensor {
  std::string what;   // "parameter @up, tensor<4x8xf32>"
  Location location;  // location of the op that makes it
  int64_t bytes = 0;
};

/// An arena, and what it holds when most of it is needed.
struct ArenaUse {
  std::string entry;
  Location location;                 // location of the entry
  int64_t rank = 0;                  // first rank of its rank.program
  int64_t bytes = 0;                 // size of the arena, with parameters
  std::string moment;                // "while 'nn.gelu' runs in @layer"
  Location momentLocation;           // location of that op
  search::MemoryParts parts;         // their sum is `bytes`
  std::vector<ArenaTensor> tensors;  // the largest first
};

/// Returns for each entry of `module` its largest arena on any rank. `module`
/// is in any form from the placed one to the local one, and stays as it is.
/// Returns nullopt, without a diagnostic, if the memory cannot be laid out.
std::optional<std::vector<ArenaUse>> usesOfArenas(ModuleOp module,
                                                  const KernelTarget& target);

/// Returns the arena of each entry of each rank.program, which stands for all
/// ranks with the same tasks. Otherwise as usesOfArenas.
std::optional<std::vector<ArenaUse>> usesOfAllArenas(
    ModuleOp module, const KernelTarget& target);

/// Returns the bytes of the largest arena of all entries and ranks. Returns an
/// upper bound instead if that is at most `memoryBytes`, and there is no
/// schedule: twice the bytes that are live at once. Adding them up takes much
/// less time than laying out many buffers. Returns nullopt if the memory has to
/// be laid out and cannot be.
std::optional<double> arenaBytesOf(ModuleOp module, const KernelTarget& target,
                                   double memoryBytes);

/// Returns the largest arena of all entries and ranks; nullopt where
/// usesOfArenas returns nullopt.
std::optional<ArenaUse> largestArenaOf(ModuleOp module,
                                       const KernelTarget& target);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_ARENAUSE_H_
