// The options of LLVM's libraries in the help of a tool.

#ifndef TOOLS_OPTIONS_HIDELIBRARYOPTIONS_H_
#define TOOLS_OPTIONS_HIDELIBRARYOPTIONS_H_

#include "llvm/Support/CommandLine.h"

namespace sbp {

/// Hides the options that are registered so far, except --help. These are the
/// options of LLVM's libraries, which do not concern the tool. --help-hidden
/// shows them.
inline void hideLibraryOptions() {
  for (auto& option : llvm::cl::getRegisteredOptions())
    if (option.second->getOptionHiddenFlag() == llvm::cl::NotHidden &&
        option.first != "help")
      option.second->setHiddenFlag(llvm::cl::Hidden);
}

}  // namespace sbp

#endif  // TOOLS_OPTIONS_HIDELIBRARYOPTIONS_H_
