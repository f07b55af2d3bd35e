// Tables of jobs for the functions that move rows between arenas
// (RowKernels.h).

#ifndef RUNTIME_CUDA_ROWTABLE_H_
#define RUNTIME_CUDA_ROWTABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/communication/RowCopy.h"

namespace sbp::cuda {

/// The place of rows: the number of the owner of the buffer, the index of the
/// buffer in the owner's list, and the layout of the rows in the buffer.
struct RowPlace {
  int64_t owner = 0;
  int64_t slot = 0;
  communication::RowLayout rows;
};

/// A job: makes a box of rows from one or more sources (RowKernels.h).
struct RowJob {
  communication::RowShape shape;
  RowPlace target;
  std::vector<RowPlace> sources;
};

/// A table of jobs (RowKernels.h).
struct RowTable {
  std::string function;          // the function that the second launch runs
  std::vector<int64_t> numbers;  // the table's contents
  int64_t numPlaces = 0;         // number of targets and sources of all jobs
  int64_t mostElements = 0;      // number of elements of the largest job
};

/// Returns the tables for `jobs`, each of which copies one source. There is a
/// table for each width of elements; a job is in the table of the widest
/// elements that can be used for it (kCopyWidths).
std::vector<RowTable> copyTables(const std::vector<RowJob>& jobs);

/// Returns the table for `jobs` with `function`, which combines elements of
/// `elementBytes` bytes. All jobs must have the same number of sources.
RowTable reduceTable(const std::vector<RowJob>& jobs, std::string function,
                     int64_t elementBytes);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_ROWTABLE_H_
