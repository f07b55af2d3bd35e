// Prints the tasks of an entry and the layout of its memory, after any of the
// steps that lead to the plan (LayOutEntry.h).
//
//   tasks
//        3  %7:product = nn.einsum(%3:x, %0:@up)
//     loop, iterations: 2
//       block 0 (1F), runs: 2
//             4  %8:hidden = nn.gelu(%7:product)  call 1
//       order 0:0 0:1
//     -- updates --
//        12  %9:up_0 = nn.sgd(%0:@up, %8:g, %4:lr)
//   buffers
//     %7:product  temporary  tensor<4x8xf32>  128 bytes  live 3-12  at 64
//
// A task or a buffer has the same number after all steps, and no line depends
// on where other lines stand. So two texts differ only in what the steps
// between them did.

#ifndef CODEGEN_PLAN_PRINTTASKS_H_
#define CODEGEN_PLAN_PRINTTASKS_H_

#include <string>

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Returns the text of `memory`, as far as its members are set. The text
/// depends on the program alone.
std::string textOf(const EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PRINTTASKS_H_
