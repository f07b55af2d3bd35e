#include "codegen/driver/PluginOps.h"

#include <set>
#include <utility>

#include "codegen/check/CheckOp.h"
#include "codegen/cpu/Target.h"
#include "dialects/Dialects.h"
#include "dialects/sbp/DistributedOp.h"

namespace sbp {
std::vector<Operation*> distinctOps(
    ModuleOp module, llvm::function_ref<bool(Operation*)> isWanted) {
  std::vector<Operation*> ops;
  std::set<std::pair<const void*, const void*>> known;
  module->walk([&](Operation* op) {
    if (llvm::isa<DistributedOpInterface>(op) && isWanted(op) &&
        known
            .insert({op->getName().getAsOpaquePointer(),
                     op->getPropertiesAsAttribute().getAsOpaquePointer()})
            .second)
      ops.push_back(op);
  });
  return ops;
}

LogicalResult checkPluginOps(ModuleOp module) {
  const std::vector<Operation*> ops =
      distinctOps(module, [](Operation* op) { return !isOfProject(op); });
  if (ops.empty()) return success();
  const FailureOr<cpu::Target> target =
      cpu::lookUpTarget("host", [&] { return module.emitError(); });
  if (failed(target)) return failure();
  check::OpChecker checker(module.getContext(), *target,
                           check::Thoroughness::quick());
  for (Operation* op : ops) {
    const FailureOr<check::OpChecks> checks = checker.checkLike(op);
    if (failed(checks)) return failure();
    if (!checks->obstacle.empty())
      op->emitWarning() << "'" << op->getName()
                        << "' is not checked: " << checks->obstacle;
  }
  return success();
}

}  // namespace sbp
