// The version of a tool, in one line:
//
//   sbpc 0.1.0 (commit e0aa3f2, LLVM 22.1.8)
//
// Only the mains depend on this header, and pass the line to the parsers of
// their command lines. A program that sbpc makes contains the line as well.

#ifndef TOOLS_VERSION_VERSION_H_
#define TOOLS_VERSION_VERSION_H_

#include <string>

namespace sbp {

/// Returns the line of the tool `name`. The commit ends with "-dirty" if the
/// sources differed from those of the commit, and is "unknown" if they were no
/// clone of the repository.
std::string versionOf(const std::string& name);

}  // namespace sbp

#endif  // TOOLS_VERSION_VERSION_H_
