// Prints the buffers of an entry: what each holds, how large it is, and where
// it lies.

#ifndef CODEGEN_PLAN_PRINTBUFFERS_H_
#define CODEGEN_PLAN_PRINTBUFFERS_H_

#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/MemoryText.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// Prints a line per buffer of `memory`, as far as the members of `memory` are
/// set. `text` is made from `memory`. A line ends with the live range and the
/// offset of the buffer, except for
/// - a parameter: its offset is chosen for all entries of a program together;
/// - a buffer that lies in another one: "in %7" and where in it;
/// - a buffer of a loop that has a copy for each micro-batch under way
///   (LoopSlots.h): "in slots". The offset of the copies is printed with the
///   loop (PrintTasks.h);
/// - a buffer without bytes.
void printBuffers(const EntryMemory& memory, const MemoryText& text,
                  llvm::raw_ostream& out);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PRINTBUFFERS_H_
