#include "codegen/driver/BringToBoxed.h"

#include <cmath>
#include <optional>
#include <utility>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/UnplacedModel.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/placement/Target.h"

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

/// Returns a device of `target`. The search reports what it assumes of one.
Device deviceOf(const Target& target, ModuleOp module) {
  mlir::ScopedDiagnosticHandler silently(
      module.getContext(), [](mlir::Diagnostic&) { return success(); });
  return target.deviceOrAssumed(module);
}

}  // namespace

FailureOr<Device> bringToBoxed(mlir::OwningOpRef<ModuleOp>& module,
                               const PipelineOptions& pipeline,
                               const KernelTarget& kernels) {
  FailureOr<Target> target = chooseTarget(*module, pipeline.place.mesh);
  if (failed(target)) return failure();
  Device device = deviceOf(*target, *module);
  if (pipeline.place.memory > 0) device.memoryBytes = pipeline.place.memory;
  const double memoryBytes = device.memoryBytes;
  if (formOf(*module) >= Form::Placed || !std::isfinite(memoryBytes)) {
    if (failed(checkOptions(*module, pipeline)) ||
        failed(bringTo(Form::Boxed, *module, pipeline)))
      return failure();
    return device;
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
  return device;
}

}  // namespace sbp
