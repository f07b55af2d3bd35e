// Standard input of a language server, without texts that would crash it.

#ifndef TOOLS_LSP_GUARDEDINPUT_H_
#define TOOLS_LSP_GUARDEDINPUT_H_

#include "llvm/Support/Error.h"

namespace sbp {

/// Replaces standard input by a pipe. A thread reads messages with headers from
/// the original standard input, passes them through SafeTexts, and writes them
/// to the pipe. At the end of the input, or at a message without a body, it
/// closes the pipe. Fails if the pipe cannot be made.
llvm::Error guardInput();

}  // namespace sbp

#endif  // TOOLS_LSP_GUARDEDINPUT_H_
