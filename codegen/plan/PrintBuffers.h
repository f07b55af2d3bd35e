// Prints the buffers of an entry: what each holds, how large it is, and where
// it lies.

#ifndef CODEGEN_PLAN_PRINTBUFFERS_H_
#define CODEGEN_PLAN_PRINTBUFFERS_H_

#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/MemoryText.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// Prints a line per buffer of `memory`, as far as its members are set. `text`
/// is that of `memory`. Parameters, which the program places, have no offset;
/// buffers in slots have that of their loop.
void printBuffers(const EntryMemory& memory, const MemoryText& text,
                  llvm::raw_ostream& out);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PRINTBUFFERS_H_
