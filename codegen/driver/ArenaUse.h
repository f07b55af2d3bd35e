// What an arena holds at the moment when most of it is needed.
//
// An arena is the memory that a rank allocates to run one entry. Its size and
// its content are read off the layout of its buffers
// (codegen/plan/EntryMemory.h), so the size is exactly what the rank allocates.

#ifndef CODEGEN_DRIVER_ARENAUSE_H_
#define CODEGEN_DRIVER_ARENAUSE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/search/decisions/Memory.h"

namespace sbp {

/// A tensor, or the scratch memory of a kernel, that is in an arena at the
/// moment when most of the arena is needed.
struct ArenaTensor {
  std::string description;  // "parameter @up, tensor<4x8xf32>"
  Location location;        // where it is made or declared
  int64_t bytes = 0;        // bytes of all its versions or slots
};

/// An arena, and what it holds when most of it is needed.
struct ArenaUse {
  std::string entry;
  Location location;                 // location of the entry
  int64_t rank = 0;                  // first rank of its rank.program
  int64_t bytes = 0;                 // size of the arena, parameters included
  std::string moment;                // "while 'nn.gelu' runs in @layer"
  Location momentLocation;           // location of that op, or of the entry
  search::MemoryParts parts;         // their sum is `bytes`
  std::vector<ArenaTensor> tensors;  // the largest first
  /// The group and the stages of the rank, and the largest number of
  /// micro-batches that it holds of each, in words; empty without a schedule.
  std::string stages = {};
};

/// Returns, for each entry of `module`, the largest of its arenas on all ranks.
/// `module` is in any form from the placed one to the local one, and stays as
/// it is. Returns nullopt, without a diagnostic, if the module has no entry,
/// cannot be brought to the local form, or its memory cannot be laid out.
std::optional<std::vector<ArenaUse>> largestArenaByEntry(
    ModuleOp module, const KernelTarget& target);

/// Returns the arenas of all entries of all rank.programs; each rank.program
/// stands for all its ranks. `module` and the failures are those of
/// largestArenaByEntry.
std::optional<std::vector<ArenaUse>> allArenas(ModuleOp module,
                                               const KernelTarget& target);

/// Returns the bytes of the largest arena of all entries and ranks, or an upper
/// bound of them. The bound is twice the bytes that are live at once, since
/// gaps between buffers take some percent of them. The bound takes much less
/// time than a layout, so it is returned if the module has no schedule and the
/// bound is at most `memoryBytes`. Otherwise the memory is laid out; the result
/// is nullopt if largestArenaByEntry returns nullopt.
std::optional<double> arenaBytesOf(ModuleOp module, const KernelTarget& target,
                                   double memoryBytes);

/// Returns the largest arena of all entries and ranks; nullopt where
/// largestArenaByEntry returns nullopt.
std::optional<ArenaUse> largestArenaOf(ModuleOp module,
                                       const KernelTarget& target);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_ARENAUSE_H_
