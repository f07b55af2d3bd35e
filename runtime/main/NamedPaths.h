// Files on the command line that belong to a tensor: --data x=x.npy.

#ifndef RUNTIME_MAIN_NAMEDPATHS_H_
#define RUNTIME_MAIN_NAMEDPATHS_H_

#include <string>
#include <vector>

#include "runtime/data/Feed.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Splits each of `texts`, name=path, that `option` was given; a name may have
/// such signs itself. Throws as CLI11's own checks do.
std::vector<data::NamedPath> namedPaths(const std::string& option,
                                        const std::vector<std::string>& texts,
                                        const plan::Plan& plan);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_NAMEDPATHS_H_
