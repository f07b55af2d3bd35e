// Which anchors make the bounds of a block close.
//
// Of pairs of layouts without rows a block's bounds know the branch, and the
// skip by how far it leads from anchors (Rows.h). That is all of a skip that
// starts at an anchor. Where bounds of what is carried over a block are low,
// they mostly are so everywhere for the same few layouts: these are cheap to
// come to, and what skips from there take is not known. With an anchor at one
// of them, its neighbours do not seem to lead everywhere for too little either.
//
// A sample finds them. For few layouts it is computed exactly what is carried
// there, and from where bounds say it comes. Where the one is farthest above
// the other, there goes the next anchor.

#ifndef PASSES_SEARCH_LAYOUT_ANCHORSAMPLE_H_
#define PASSES_SEARCH_LAYOUT_ANCHORSAMPLE_H_

#include <cstddef>
#include <cstdint>

#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"

namespace sbp::search {

/// Adds up to `most` anchors to those of a block that bounds of values carried
/// ahead count; none if it has no skip, or bounds are not low anywhere. `come`
/// has for every layout what is paid before the block. Rows of the block must
/// be whole. Takes two walks for each layout of the sample.
void addAnchorsAhead(const PricedChain& priced, int64_t block,
                     const Values& come, std::size_t most, Rows& rows);

/// The same of values carried back. `rest` has for every layout what is left
/// behind the block.
void addAnchorsBack(const PricedChain& priced, int64_t block,
                    const Values& rest, std::size_t most, Rows& rows);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_ANCHORSAMPLE_H_
