// Moves reads of parameters out of the functions that stages may call.
//
//   @layer(%x) {                          @layer(%x, %w) {
//     %w = nn.get @w                        %y = nn.einsum %x, %w ...
//     %y = nn.einsum %x, %w ...
//
//   %h = call @layer(%x)                  %w = nn.get @w
//                                         %h = call @layer(%x, %w)
//
// The calls of a function may be in several stages, and a parameter lies on the
// group of one of them. An argument can come from another group; a parameter
// that the function itself reads cannot.

#ifndef PASSES_STAGES_LIFTPARAMETERREADS_H_
#define PASSES_STAGES_LIFTPARAMETERREADS_H_

#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Makes the parameters that private functions of `module`, a logical program
/// without recursion, read arguments of these functions. Reads of several
/// parameters become arguments in their order. Leaves functions alone that ops
/// other than calls use, or that nothing calls.
void liftParameterReads(mlir::ModuleOp module);

}  // namespace sbp

#endif  // PASSES_STAGES_LIFTPARAMETERREADS_H_
