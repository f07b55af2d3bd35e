// On how many axes plans are searched.

#ifndef PASSES_SEARCH_PROGRAM_MAXAXES_H_
#define PASSES_SEARCH_PROGRAM_MAXAXES_H_

#include <cstdint>

namespace sbp::search {

/// On so many axes of more than one device: movements are priced by ways
/// through all placements of a tensor, of which there are too many on more.
inline constexpr int64_t kMaxAxes = 8;

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_MAXAXES_H_
