#include "codegen/driver/Diff.h"

#include <memory>
#include <string>

#include "codegen/driver/BringToBoxed.h"
#include "codegen/driver/ChoosePipeline.h"
#include "codegen/driver/ModelSession.h"
#include "codegen/driver/PlanDifferences.h"
#include "codegen/driver/PluginOps.h"
#include "codegen/driver/WriteText.h"
#include "runtime/text/Printable.h"

namespace sbp {

using mlir::failed;
using mlir::failure;

namespace {

/// Returns the facts of the model in the file `path`, planned as sbpc does.
FailureOr<PlannedProgram> planned(const std::string& path,
                                  const DiffOptions& options,
                                  ModelSession& session) {
  ModelSource source = options.source;
  source.path = path;
  mlir::OwningOpRef<ModuleOp> module = session.load(source);
  if (!module || failed(checkPluginOps(*module))) return failure();
  if (const Form given = formOf(*module); given > Form::Boxed)
    return module->emitError()
           << "the model is in the " << stringOf(given)
           << " form, in which it no longer shows its plan; diff takes any "
              "form up to the boxed one";
  const KernelTarget& kernels = session.backend().target();
  PipelineOptions pipeline = options.pipeline;
  if (failed(choosePipeline(*module, kernels, pipeline, options.wish)))
    return failure();
  FailureOr<Device> device = bringToBoxed(module, pipeline, kernels);
  if (failed(device)) return failure();
  FailureOr<PlannedProgram> program =
      plannedProgramOf(*module, *device, kernels);
  if (succeeded(program)) program->path = path;
  return program;
}

}  // namespace

LogicalResult diffModels(const DiffOptions& options) {
  std::unique_ptr<ModelSession> session = ModelSession::create(options);
  if (!session) return failure();
  FailureOr<PlannedProgram> a = planned(options.source.path, options, *session);
  if (failed(a)) return failure();
  FailureOr<PlannedProgram> b = planned(options.otherPath, options, *session);
  if (failed(b)) return failure();
  const PlanDifferences differences = differencesOf(*a, *b);
  return writeText(
      &session->context(), "-",
      options.isJson
          ? jsonOf(differences).dump(2) + "\n"
          : text::printable(textOf(differences, options.withDetails), "\n"));
}

}  // namespace sbp
