#include "runtime/cuda/RowTable.h"

#include <algorithm>
#include <utility>

#include "runtime/cuda/RowKernels.h"

namespace sbp::cuda {
namespace {

/// Whether the row size of `job`, in bytes, and the offsets and strides of its
/// places are multiples of `width`. A stride counts only if a loop uses it.
bool serves(int64_t width, const RowJob& job) {
  const auto fits = [&](const RowPlace& place) {
    if (place.rows.offset % width != 0) return false;
    for (int loop = 0; loop < communication::kNumLoops; ++loop)
      if (job.shape.counts[loop] > 1 && place.rows.strides[loop] % width != 0)
        return false;
    return true;
  };
  return job.shape.rowBytes % width == 0 && fits(job.target) &&
         std::all_of(job.sources.begin(), job.sources.end(), fits);
}

int64_t widthOf(const RowJob& job) {
  return *std::find_if(std::begin(kCopyWidths), std::end(kCopyWidths),
                       [&](int64_t width) { return serves(width, job); });
}

void add(const RowPlace& place, std::vector<int64_t>& numbers) {
  numbers.insert(numbers.end(), {place.owner, place.slot, place.rows.offset,
                                 place.rows.strides[0], place.rows.strides[1]});
}

}  // namespace

RowTable reduceTable(const std::vector<RowJob>& jobs, std::string function,
                     int64_t elementBytes) {
  RowTable table;
  table.function = std::move(function);
  const size_t numSources = jobs.empty() ? 0 : jobs.front().sources.size();
  table.numbers = {static_cast<int64_t>(jobs.size()),
                   static_cast<int64_t>(numSources)};
  table.numPlaces = table.numbers[0] * (1 + table.numbers[1]);
  for (const RowJob& job : jobs) {
    const communication::RowShape& shape = job.shape;
    table.numbers.insert(table.numbers.end(), {shape.counts[0], shape.counts[1],
                                               shape.rowBytes / elementBytes});
    add(job.target, table.numbers);
    for (const RowPlace& source : job.sources) add(source, table.numbers);
    table.mostElements =
        std::max(table.mostElements, shape.bytes() / elementBytes);
  }
  return table;
}

std::vector<RowTable> copyTables(const std::vector<RowJob>& jobs) {
  std::vector<RowTable> tables;
  for (int64_t width : kCopyWidths) {
    std::vector<RowJob> ofWidth;
    std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(ofWidth),
                 [&](const RowJob& job) { return widthOf(job) == width; });
    if (!ofWidth.empty())
      tables.push_back(reduceTable(ofWidth, copyFunction(width), width));
  }
  return tables;
}

}  // namespace sbp::cuda
