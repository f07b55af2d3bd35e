// Streams for text that people read on a terminal.
//
// Names in a model and names of files may have any characters, such as those
// that move the cursor of a terminal. On these streams they appear as escape
// sequences (runtime/text/Printable.h). Text for programs, such as JSON, goes
// to llvm::outs() as it is.

#ifndef DIALECTS_TEXT_PEOPLE_H_
#define DIALECTS_TEXT_PEOPLE_H_

#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// Returns standard output, for text that people read.
llvm::raw_ostream& peopleOut();

/// Returns standard error, for messages that people read.
llvm::raw_ostream& peopleErr();

}  // namespace sbp

#endif  // DIALECTS_TEXT_PEOPLE_H_
