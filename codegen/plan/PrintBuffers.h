// Prints the buffers of an entry: what each holds, how large it is, and where
// it lies.

#ifndef CODEGEN_PLAN_PRINTBUFFERS_H_
#define CODEGEN_PLAN_PRINTBUFFERS_H_

#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/MemoryText.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// Prints a line per buffer of `memory`, as far as the members of `memory` are
/// set. `text` is made from `memory`. The line of a parameter has no offset,
/// since parameters are placed per program. The line of a buffer in slots says
/// only "in slots"; the offset of the slots is printed with their loop
/// (PrintTasks.h).
void printBuffers(const EntryMemory& memory, const MemoryText& text,
                  llvm::raw_ostream& out);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PRINTBUFFERS_H_
