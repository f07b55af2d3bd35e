// The functions by which a GPU moves rows between the arenas of ranks, and the
// tables that tell them which. The compiler emits the functions
// (codegen/cuda/RowKernels.h), the runtime makes the tables (RowTable.h).
//
// A job takes a box of rows (communication/RowCopy.h) from one or more sources,
// combines their elements in the order of the sources, and stores the result.
// All numbers of a table are i64:
//
//   table    number of jobs, number of sources of each, jobs
//   job      counts[0], counts[1], elements of a row, target, sources
//   target, source
//            owner, slot, offset of the first row, strides[0], strides[1]
//
// Offsets and strides are in bytes. A buffer lies at an offset in the arena of
// its owner, which is known only when the job runs, as it may depend on the
// step. So a rank lists the offsets of its buffers for each run, in memory that
// others read; `slot` is an index into the list of the owner:
//
//   owners   arena, base, list   of each owner
//
// `arena` is an address; the owner's list begins at `base` plus the i64 that
// lies at address `list`. Owner 0 is the rank itself, whose list is an
// argument.
//
// Two launches do the jobs of a table. The first one looks up the addresses of
// all first rows, of each job its target's and then its sources'. Its arguments
// are the addresses of the table, the owners, the rank's own list, and the
// memory for the addresses it finds. The second one moves the rows. Its
// arguments are the addresses of the table and of that memory. All its threads
// share all jobs.

#ifndef RUNTIME_CUDA_ROWKERNELS_H_
#define RUNTIME_CUDA_ROWKERNELS_H_

#include <cstdint>
#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// Counts of numbers: before the jobs of a table, before the target of a job,
/// of a target or a source, and of an owner.
inline constexpr int64_t kTableHeader = 2;
inline constexpr int64_t kJobHeader = 3;
inline constexpr int64_t kPlaceNumbers = 5;
inline constexpr int64_t kOwnerNumbers = 3;

/// The function of the first launch.
inline constexpr const char* kLookUpFunction = "look_up_rows";

/// Number of threads of a block of these functions.
inline constexpr int64_t kRowThreads = 256;

/// Widths of the elements that are copied, in bytes, widest first. A width
/// serves rows of which all bytes and places are multiples of it.
inline constexpr int64_t kCopyWidths[] = {16, 4, 2, 1};

/// Returns the name of a second function, which copies elements of `width`
/// bytes.
std::string copyFunction(int64_t width);

/// Returns the name of a second function, which reduces elements.
std::string reduceFunction(plan::ElementType elementType,
                           plan::ReductionKind reduction);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_ROWKERNELS_H_
