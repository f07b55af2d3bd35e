#include "codegen/driver/Diff.h"

#include <memory>
#include <optional>

#include "codegen/driver/BringToBoxed.h"
#include "codegen/driver/ChoosePipeline.h"
#include "codegen/driver/ModelContext.h"
#include "codegen/driver/PlanDifferences.h"
#include "codegen/driver/PluginOps.h"
#include "codegen/driver/WriteText.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/placement/Target.h"
#include "runtime/text/Printable.h"

namespace sbp {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

/// Returns the facts of the model in the file `path`, planned as sbpc does.
FailureOr<PlannedProgram> planned(const std::string& path,
                                  const DiffOptions& options, Backend& backend,
                                  ModelContext& context) {
  ModelSource source = options.source;
  source.path = path;
  mlir::OwningOpRef<ModuleOp> module =
      loadModel(context, source, [&](ModuleOp loaded, int64_t numRanks) {
        backend.addMachine(loaded, numRanks);
      });
  if (!module || failed(checkPluginOps(*module))) return failure();
  if (const Form given = formOf(*module); given > Form::Boxed)
    return module->emitError()
           << "the model is in the " << stringOf(given)
           << " form, in which it no longer shows its plan; diff takes any "
              "form up to the boxed one";
  PipelineOptions pipeline = options.pipeline;
  if (options.choosesPipeline &&
      failed(choosePipeline(*module, backend.target(), pipeline)))
    return failure();
  FailureOr<Target> target = chooseTarget(*module, pipeline.place.mesh);
  if (failed(target)) return failure();
  // The search reports what it assumes of the device.
  Device device = [&] {
    mlir::ScopedDiagnosticHandler silently(
        &context.get(), [](mlir::Diagnostic&) { return success(); });
    return target->deviceOrAssumed(*module);
  }();
  if (pipeline.place.memory > 0) device.memoryBytes = pipeline.place.memory;
  if (failed(
          bringToBoxed(module, pipeline, device.memoryBytes, backend.target())))
    return failure();
  FailureOr<PlannedProgram> program =
      plannedProgramOf(*module, device, backend.target());
  if (succeeded(program)) program->path = path;
  return program;
}

}  // namespace

LogicalResult diffModels(const DiffOptions& options) {
  std::unique_ptr<ModelContext> context = ModelContext::create(
      options.dialectPlugins, [&](mlir::DialectRegistry& registry) {
        Backend::registerKernels(options.backend.kind, registry);
      });
  if (!context) return failure();
  FailureOr<std::unique_ptr<Backend>> backend = Backend::create(
      options.backend, options.source.isForHost, context->get());
  if (failed(backend)) return failure();
  FailureOr<PlannedProgram> a =
      planned(options.source.path, options, **backend, *context);
  if (failed(a)) return failure();
  FailureOr<PlannedProgram> b =
      planned(options.otherPath, options, **backend, *context);
  if (failed(b)) return failure();
  const PlanDifferences differences = differencesOf(*a, *b);
  return writeText(
      &context->get(), "-",
      options.isJson
          ? jsonOf(differences).dump(2) + "\n"
          : text::printable(textOf(differences, options.withDetails), "\n"));
}

}  // namespace sbp
