// Tables of jobs for the functions that move rows between arenas
// (RowKernels.h).

#ifndef RUNTIME_CUDA_ROWTABLE_H_
#define RUNTIME_CUDA_ROWTABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/communication/RowCopy.h"

namespace sbp::cuda {

/// The place of rows: the owner of the buffer, the number of the buffer in the
/// owner's list, and where the rows lie in it.
struct RowPlace {
  int64_t owner = 0;
  int64_t slot = 0;
  communication::RowLayout rows;
};

/// A box of rows that is made from one or more sources.
struct RowJob {
  communication::RowShape shape;
  RowPlace target;
  std::vector<RowPlace> sources;
};

/// Jobs that one launch does.
struct RowTable {
  std::string function;  // of the second launch
  std::vector<int64_t> numbers;
  int64_t numPlaces = 0;     // of all jobs
  int64_t mostElements = 0;  // of a job; tells how many threads have work
};

/// Returns the tables that do `jobs`, which copy: one for each width of
/// elements that serves some of the jobs.
std::vector<RowTable> copyTables(const std::vector<RowJob>& jobs);

/// Returns the table that does `jobs` by `function`, which reduces elements of
/// `elementBytes` bytes. All jobs have the same number of sources.
RowTable reduceTable(const std::vector<RowJob>& jobs, std::string function,
                     int64_t elementBytes);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_ROWTABLE_H_
