// Standard input of a language server, without texts that would crash it.

#ifndef TOOLS_LSP_GUARDEDINPUT_H_
#define TOOLS_LSP_GUARDEDINPUT_H_

#include "llvm/Support/Error.h"

namespace sbp {

/// Replaces standard input by a pipe. A thread reads messages with headers from
/// the original standard input, passes them through SafeTexts, and writes them
/// to the pipe, until the process ends.
llvm::Error guardInput();

}  // namespace sbp

#endif  // TOOLS_LSP_GUARDEDINPUT_H_
