// The limit on the mesh axes of a search.

#ifndef PASSES_SEARCH_READING_MAXAXES_H_
#define PASSES_SEARCH_READING_MAXAXES_H_

#include <cstdint>

namespace sbp::search {

/// Largest number of axes of more than one device. Pricing of movements visits
/// all placements of a tensor; on more axes there are too many placements.
inline constexpr int64_t kMaxAxes = 8;

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_MAXAXES_H_
