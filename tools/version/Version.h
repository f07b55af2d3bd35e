// What a tool says of itself, in one line:
//
//   sbpc 0.1.0 (commit e0aa3f2, LLVM 22.1.8)
//
// The mains have it, and hand it on to what parses their command line; a
// program that sbpc makes keeps it too.

#ifndef TOOLS_VERSION_VERSION_H_
#define TOOLS_VERSION_VERSION_H_

#include <string>

namespace sbp {

/// The line of the tool `name`. The commit ends with "-dirty" if the sources
/// were not those of the commit, and is "unknown" where they are no clone.
std::string versionOf(const std::string& name);

}  // namespace sbp

#endif  // TOOLS_VERSION_VERSION_H_
