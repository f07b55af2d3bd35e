// The groups of a plan, collected from the meshes that the local form names.

#ifndef CODEGEN_PLAN_PLANGROUPS_H_
#define CODEGEN_PLAN_PLANGROUPS_H_

#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Numbers the groups of a plan in the order in which they are first asked for.
class PlanGroups {
 public:
  /// A mesh, and the index of its group in the plan.
  struct Group {
    int64_t number = 0;  // index into plan::Plan::groups
    Mesh mesh;
  };

  /// Returns the group of the mesh called `name` in the module around `op`, and
  /// adds it if it is new. This object owns the result. Fails with a diagnostic
  /// at `op` if there is no such mesh.
  FailureOr<const Group*> of(Operation* op, mlir::FlatSymbolRefAttr name);

  /// Moves the groups that were asked for out of this object.
  std::vector<plan::Group> take() { return std::move(groups_); }

 private:
  llvm::DenseMap<Attribute, std::unique_ptr<Group>> known_;
  std::vector<plan::Group> groups_;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANGROUPS_H_
