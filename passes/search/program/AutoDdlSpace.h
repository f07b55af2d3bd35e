// AutoDDL's space, as a restriction of the full one.
//
// AutoDDL (section 4.2) splits a product I W = O three ways, on the axes of the
// mesh as on the counts of its levels:
//
//   I (S0: p0, B: p1, S1: p2)   W (B: p0, S1: p1, S0: p2)
//                                          -> O (S0: p0, S1: p1, P: p2)
//
// and sums O up into parts, since all that comes between products wants its
// input split. Of a program that leaves the plans in which
//
//   - on every axis, every op on samples splits one of its loops: nothing is
//     computed twice;
//   - no op is given terms of a sum;
//   - parameters, and the optimiser's state, lie as the ops use them that use
//     them: they never move. So gradients that are summed are all-reduced, and
//     ZeRO is not in the space.
//
// An op that cannot do so on some axis, because it has nothing to split there,
// does it on as many as it can. Convolutions and attention may split any of
// their loops, as other products may. (The paper's own convolutions split the
// samples only; it leaves others to who adds them.) The inputs of the program
// are free, which the paper leaves open.

#ifndef PASSES_SEARCH_PROGRAM_AUTODDLSPACE_H_
#define PASSES_SEARCH_PROGRAM_AUTODDLSPACE_H_

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/search/program/ReadProgram.h"
#include "passes/search/program/Restriction.h"

namespace sbp::search {

/// AutoDDL's plans for `entry`, which was read as `program`. Where pins want a
/// parameter to move, all plans cost infinitely much.
Restriction autoDdlSpace(mlir::func::FuncOp entry,
                         const mlir::SymbolTable& symbols,
                         const ProgramDecisions& program);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_AUTODDLSPACE_H_
