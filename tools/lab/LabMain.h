// The command line of sbp-lab.

#ifndef TOOLS_LAB_LABMAIN_H_
#define TOOLS_LAB_LABMAIN_H_

#include <string>

namespace sbp::search::lab {

/// Runs sbp-lab, and returns its exit status. `version` is what --version
/// prints.
int labMain(int argc, char** argv, const std::string& version);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_LABMAIN_H_
