// Arguments of the form name=path, such as --data x=x.npy.

#ifndef RUNTIME_MAIN_NAMEDPATHS_H_
#define RUNTIME_MAIN_NAMEDPATHS_H_

#include <string>
#include <vector>

#include "runtime/data/Feed.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Splits each of `texts`, the values given for option `option`, into name and
/// path. Because the name of a tensor may contain "=", a text is split after
/// the longest name of a tensor of `plan` with which it begins, or else at the
/// first "=". Throws CLI::ValidationError if a text has no "=", or an empty
/// name or path.
std::vector<data::NamedPath> namedPaths(const std::string& option,
                                        const std::vector<std::string>& texts,
                                        const plan::Plan& plan);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_NAMEDPATHS_H_
