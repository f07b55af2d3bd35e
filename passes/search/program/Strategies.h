// The plans that have a name.
//
// The strategies that people choose by hand are points in the space that is
// searched: each says what an axis of the mesh is for, and that leaves some of
// the states of every decision. The best plan of what is left is compared with
// the best of all.
//
//   role of an axis   what ops do on it
//   Samples           split the samples; weights are used whole
//   Tensors           never split the samples, but whatever else
//   Features          split the last dimension of what they compute
//
//   data parallelism             all axes Samples; parameters are kept whole
//   ZeRO-3 (FSDP)                all axes Samples; parameters, and what a layer
//                                is given of them, are kept in parts
//   tensor parallelism           all axes Tensors
//   best Megatron grid           each axis Samples or Tensors
//   best SUMMA grid              each axis Samples or Features; parameters are
//                                kept in tiles. What SUMMA broadcasts panel by
//                                panel is gathered here: as many bytes, but in
//                                memory at once
//   AutoDDL's space              AutoDdlSpace.h
//
// AutoDDL's space is none of these but holds some of them, and where pins go
// against it there is no plan in it.
//
// Where an op or a tensor cannot do as a strategy says, it does so on as many
// axes, for as many tensors, as it can.

#ifndef PASSES_SEARCH_PROGRAM_STRATEGIES_H_
#define PASSES_SEARCH_PROGRAM_STRATEGIES_H_

#include <string>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/CheapestPlan.h"
#include "passes/search/program/Movements.h"
#include "passes/search/program/ReadProgram.h"

namespace sbp::search {

struct NamedStrategy {
  std::string name;
  /// Of a grid, the devices that share samples x those that share the rest.
  std::string grid;
  /// The cheapest of its plans, whatever memory that takes.
  CheapestPlan plan;
};

/// The strategies with a name for `entry`, which was read as `program`. Each
/// has its part of the time that `run` has left.
std::vector<NamedStrategy> namedStrategies(mlir::func::FuncOp entry,
                                           const mlir::SymbolTable& symbols,
                                           const ProgramDecisions& program,
                                           Movements& movements,
                                           const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_STRATEGIES_H_
