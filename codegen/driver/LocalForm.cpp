#include "codegen/driver/LocalForm.h"

#include "codegen/fuse/FuseElementwise.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"

namespace sbp {

mlir::OwningOpRef<ModuleOp> localFormOf(ModuleOp module) {
  mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                         [](mlir::Diagnostic&) {});
  mlir::OwningOpRef<ModuleOp> local = module.clone();
  mlir::PassManager passes(module.getContext());
  addPassesTo(Form::Local, {}, passes);
  if (failed(passes.run(*local))) return {};
  fuseElementwise(*local);
  return local;
}

}  // namespace sbp
