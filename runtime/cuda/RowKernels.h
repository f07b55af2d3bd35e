// The functions by which a GPU moves rows between the arenas of ranks, and the
// tables that list the rows to move. The compiler emits the functions
// (codegen/cuda/RowKernels.h), the runtime makes the tables (RowTable.h).
//
// A job takes a box of rows (communication/RowCopy.h) from one or more sources.
// If there are several, it combines their elements in the order of the sources.
// It stores the result at the target. All numbers of a table are i64:
//
//   table    number of jobs, number of sources of each, jobs
//   job      counts[0], counts[1], elements of a row, target, sources
//   target, source
//            owner, slot, offset of the first row, strides[0], strides[1]
//
// Offsets and strides are in bytes. Offsets of rows count from the start of a
// buffer. The offset of the buffer in its owner's arena may depend on the step,
// so a table cannot contain it. Instead, each rank lists the offsets of its
// buffers before each run, in memory that other ranks read. `slot` is an index
// into the list of the owner. For each owner, three numbers say where its arena
// and its list are:
//
//   owners   arena, base, list
//
// `arena` is an address; the owner's list begins at `base` plus the i64 that
// lies at address `list`. Owner 0 is the rank itself; the address of its list
// is an argument of the launch.
//
// A table needs two launches. The first launch computes the address of the
// first row of each target and each source: job by job, first the target, then
// the sources. Its arguments are the addresses of the table, the owners, the
// rank's own list, and the memory to which it writes the computed addresses.
// The second launch moves the rows. Its arguments are the addresses of the
// table and of that memory. The elements of each job are divided among all
// threads of the second launch.

#ifndef RUNTIME_CUDA_ROWKERNELS_H_
#define RUNTIME_CUDA_ROWKERNELS_H_

#include <cstdint>
#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// Sizes of the parts of these tables, as numbers of i64: of the start of a
/// table, up to its jobs; of the start of a job, up to its target; of a target
/// or a source; and of an owner.
inline constexpr int64_t kTableHeader = 2;
inline constexpr int64_t kJobHeader = 3;
inline constexpr int64_t kPlaceNumbers = 5;
inline constexpr int64_t kOwnerNumbers = 3;

/// Name of the function that the first launch runs.
inline constexpr const char* kLookUpFunction = "look_up_rows";

/// Number of threads of a block of these functions.
inline constexpr int64_t kRowThreads = 256;

/// Widths of elements for which there are functions that copy, in bytes, widest
/// first. A width can be used for a job if the size of its rows, and the
/// offsets and strides of its target and sources, are multiples of the width.
inline constexpr int64_t kCopyWidths[] = {16, 4, 2, 1};

/// Returns the name of the function that copies elements of `width` bytes. It
/// runs in the second launch.
std::string copyFunction(int64_t width);

/// Returns the name of the function that combines elements of type
/// `elementType` by `reduction`. It runs in the second launch.
std::string reduceFunction(plan::ElementType elementType,
                           plan::ReductionKind reduction);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_ROWKERNELS_H_
