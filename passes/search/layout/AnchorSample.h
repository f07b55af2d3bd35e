// Choice of anchors that make the bounds of a block tight.
//
// The bound of crossing a block from a layout without a row (Rows.h) is the
// cost of the branch plus a bound of the skip. The latter is computed by the
// skip's distances from a few layouts, the anchors, and is exact for skips that
// start at an anchor. If bounds of values that are carried over a block are too
// low, mostly the same few layouts are the cause: they are cheap to reach, and
// the bounds of their skips are low. An anchor at one of them also improves the
// bounds of its neighbours.
//
// A sample of layouts at the end of the block finds them. The exact value that
// is carried to each sampled layout is computed, and compared with its bound.
// The bound that is too low by the most comes from one layout at the start of
// the block: this becomes the next anchor. For values that are carried back,
// start and end are exchanged.

#ifndef PASSES_SEARCH_LAYOUT_ANCHORSAMPLE_H_
#define PASSES_SEARCH_LAYOUT_ANCHORSAMPLE_H_

#include <cstddef>
#include <cstdint>

#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"

namespace sbp::search {

/// Adds up to `most` anchors to the block's bounds of values that are carried
/// forward; none if the block has no skip, or if no bound is too low. `come`
/// has the cost before the block, per layout. Rows of the block must be whole.
/// Takes two walks (Walk.h) per sampled layout.
void addAnchorsAhead(const PricedChain& priced, int64_t block,
                     const Values& come, std::size_t most, Rows& rows);

/// Does the same for values that are carried back. `rest` has the cost after
/// the block, per layout.
void addAnchorsBack(const PricedChain& priced, int64_t block,
                    const Values& rest, std::size_t most, Rows& rows);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_ANCHORSAMPLE_H_
