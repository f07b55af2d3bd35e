// The mesh on which each part of a program is placed.
//
// Most programs have one mesh for all parts. In a program in stages, each stage
// and the functions that it calls lie on the stage's group. Ops between the
// calls of stages, parameters and inputs lie with the tensors that they belong
// to (passes/placement/StageMeshes.h).

#ifndef PASSES_PLAN_PROGRAMMESHES_H_
#define PASSES_PLAN_PROGRAMMESHES_H_

#include <map>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// The meshes of a program, by name, and the mesh of each of its parts.
class ProgramMeshes {
 public:
  using Name = mlir::FlatSymbolRefAttr;

  /// Places every part on `mesh`, named `name`, until assign() says otherwise.
  ProgramMeshes(Name name, Mesh mesh) : default_(name) {
    meshes_.try_emplace(name.getValue(), std::move(mesh));
  }

  /// Returns the mesh of all parts that are not assigned to another mesh.
  Name defaultMesh() const { return default_; }

  /// Adds a mesh to which parts can be assigned.
  void addMesh(Name name, Mesh mesh) {
    meshes_.try_emplace(name.getValue(), std::move(mesh));
  }
  bool has(Name name) const { return meshes_.count(name.getValue()) > 0; }
  const Mesh& mesh(Name name) const { return meshes_.at(name.getValue()); }

  /// Places `op` or `argument` on the mesh `name`. `op` is an op, a parameter,
  /// or a function with everything in it.
  void assign(Operation* op, Name name) { ops_[op] = name; }
  void assign(mlir::BlockArgument argument, Name name) {
    arguments_[argument] = name;
  }

  /// Returns the mesh to which `op` or `argument` is assigned. If it is
  /// assigned to none, returns the mesh of the innermost enclosing op that is
  /// assigned to one, such as its function; else defaultMesh().
  Name of(Operation* op) const {
    for (Operation* at = op; at; at = at->getParentOp())
      if (auto known = ops_.find(at); known != ops_.end()) return known->second;
    return default_;
  }
  Name of(mlir::BlockArgument argument) const {
    auto known = arguments_.find(argument);
    return known != arguments_.end() ? known->second
                                     : of(argument.getOwner()->getParentOp());
  }

 private:
  Name default_;
  std::map<StringRef, Mesh> meshes_;
  llvm::DenseMap<Operation*, Name> ops_;
  llvm::DenseMap<Value, Name> arguments_;
};

}  // namespace sbp

#endif  // PASSES_PLAN_PROGRAMMESHES_H_
