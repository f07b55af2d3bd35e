// The groups of a plan, as they are found in the local form.

#ifndef CODEGEN_PLAN_PLANGROUPS_H_
#define CODEGEN_PLAN_PLANGROUPS_H_

#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "runtime/plan/Plan.h"

namespace sbp {

class PlanGroups {
 public:
  /// A mesh, and the number of its group in the plan.
  struct Group {
    int64_t number = 0;
    Mesh mesh;
  };

  /// The group of the mesh that is called `name` in the module around `op`; new
  /// ones are numbered as they come. Fails with a diagnostic at `op` if there
  /// is no such mesh.
  FailureOr<const Group*> of(Operation* op, mlir::FlatSymbolRefAttr name);

  /// All that were asked for.
  std::vector<plan::Group> take() { return std::move(groups_); }

 private:
  llvm::DenseMap<Attribute, std::unique_ptr<Group>> known_;
  std::vector<plan::Group> groups_;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANGROUPS_H_
