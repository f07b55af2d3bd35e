// On which mesh each part of a program is placed.
//
// Mostly there is one mesh, and everything lies on it. Of a program in stages
// each stage lies on its group, with all that it calls; and the ops between the
// calls of stages, parameters and inputs lie with what they belong to
// (passes/placement/StageMeshes.h).

#ifndef PASSES_PLAN_PROGRAMMESHES_H_
#define PASSES_PLAN_PROGRAMMESHES_H_

#include <map>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

class ProgramMeshes {
 public:
  using Name = mlir::FlatSymbolRefAttr;

  /// Everything lies on `mesh`, which is called `name`.
  ProgramMeshes(Name name, Mesh mesh) : home_(name) {
    meshes_.try_emplace(name.getValue(), std::move(mesh));
  }

  /// The mesh on which lies what nothing else is said of.
  Name home() const { return home_; }

  void addMesh(Name name, Mesh mesh) {
    meshes_.try_emplace(name.getValue(), std::move(mesh));
  }
  bool has(Name name) const { return meshes_.count(name.getValue()) > 0; }
  const Mesh& mesh(Name name) const { return meshes_.at(name.getValue()); }

  /// `op`, an op, a parameter, or a function with all that is in it, lies on
  /// `name`; so does `argument`.
  void put(Operation* op, Name name) { ops_[op] = name; }
  void put(mlir::BlockArgument argument, Name name) {
    arguments_[argument] = name;
  }

  /// Where `op` lies: itself, or the function that it stands in.
  Name of(Operation* op) const {
    for (Operation* at = op; at; at = at->getParentOp())
      if (auto known = ops_.find(at); known != ops_.end()) return known->second;
    return home_;
  }
  Name of(mlir::BlockArgument argument) const {
    auto known = arguments_.find(argument);
    return known != arguments_.end() ? known->second
                                     : of(argument.getOwner()->getParentOp());
  }

 private:
  Name home_;
  std::map<StringRef, Mesh> meshes_;
  llvm::DenseMap<Operation*, Name> ops_;
  llvm::DenseMap<Value, Name> arguments_;
};

}  // namespace sbp

#endif  // PASSES_PLAN_PROGRAMMESHES_H_
