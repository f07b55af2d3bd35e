#include "codegen/driver/BringToBoxed.h"

#include <cmath>
#include <optional>
#include <utility>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/UnplacedModel.h"
#include "mlir/Pass/PassManager.h"

namespace sbp {

using mlir::success;

namespace {

LogicalResult bringTo(Form form, ModuleOp module,
                      const PipelineOptions& pipeline,
                      std::optional<Form> from = std::nullopt) {
  mlir::PassManager passes(module.getContext());
  addPassesTo(form, pipeline, passes, from);
  return passes.run(module);
}

}  // namespace

LogicalResult bringToBoxed(mlir::OwningOpRef<ModuleOp>& module,
                           const PipelineOptions& pipeline, double memoryBytes,
                           const KernelTarget& kernels) {
  if (formOf(*module) >= Form::Placed || !std::isfinite(memoryBytes)) {
    if (failed(checkOptions(*module, pipeline))) return failure();
    return bringTo(Form::Boxed, *module, pipeline);
  }
  UnplacedModel unplaced(std::move(module), pipeline);
  auto place =
      [&](mlir::OwningOpRef<ModuleOp>& placed,
          const PipelineOptions& limited) -> FailureOr<std::optional<double>> {
    if (failed(bringTo(Form::Boxed, *placed, limited, Form::Differentiated)))
      return failure();
    return arenaBytesOf(*placed, kernels, memoryBytes);
  };
  auto found = unplaced.placeWithin(memoryBytes, kernels, place);
  if (failed(found)) return failure();
  module = std::move(*found);
  return success();
}

}  // namespace sbp
