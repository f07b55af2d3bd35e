// Standard input of a language server, with messages that it can take.

#ifndef TOOLS_LSP_GUARDEDINPUT_H_
#define TOOLS_LSP_GUARDEDINPUT_H_

#include "llvm/Support/Error.h"

namespace sbp {

/// Puts SafeTexts between what is standard input, which has messages with
/// headers, and what will be: a thread reads the one and writes the other,
/// until the process ends.
llvm::Error guardInput();

}  // namespace sbp

#endif  // TOOLS_LSP_GUARDEDINPUT_H_
