// AutoDDL's space, as a restriction of the full one.
//
// AutoDDL (section 4.2) splits a product I W = O three ways, by axes of the
// mesh that factor the counts of its levels:
//
//   I (S0: p0, B: p1, S1: p2)   W (B: p0, S1: p1, S0: p2)
//                                          -> O (S0: p0, S1: p1, P: p2)
//
// and reduces O into parts, since all ops between products take a split input.
// Of all plans of a program, the space has those in which
//
//   - each op on samples splits one of its loops on every axis, so nothing is
//     computed twice;
//   - no operand of an op is Partial;
//   - parameters, and the optimiser's state, are placed as their users want
//     them, and never move. So gradients that are summed are
//     all-reduced, and ZeRO is not in the space.
//
// An op may have no loop that it can split on some axis. It splits loops on as
// many axes as it can. Convolutions and attention may split any of their loops,
// like other products. (The paper's convolutions split only the samples; the
// paper leaves other splits to users.) The inputs of the program may have any
// placement; the paper does not say.

#ifndef PASSES_SEARCH_STRATEGIES_AUTODDLSPACE_H_
#define PASSES_SEARCH_STRATEGIES_AUTODDLSPACE_H_

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/search/decisions/Restriction.h"
#include "passes/search/reading/ReadProgram.h"

namespace sbp::search {

/// Returns the restriction to AutoDDL's plans for `entry`, which was read as
/// `program`. If pins require that a parameter moves, all plans of the
/// restriction have an infinite cost.
Restriction autoDdlSpace(mlir::func::FuncOp entry,
                         const mlir::SymbolTable& symbols,
                         const ProgramDecisions& program);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_STRATEGIES_AUTODDLSPACE_H_
