#include "codegen/driver/Explain.h"

#include <limits>

#include "codegen/driver/ExplanationText.h"
#include "codegen/driver/ModelContext.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/placement/DivideLevels.h"
#include "passes/placement/Placeable.h"
#include "passes/placement/Plan.h"
#include "passes/placement/Propagation.h"
#include "passes/placement/Target.h"
#include "runtime/file/OutputFile.h"

namespace sbp {

using llvm::StringRef;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::success;

namespace {

LogicalResult bringTo(Form form, ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  addPassesTo(form, {}, passes);
  return passes.run(module);
}

/// What one run of `entry` takes if `differentiated` is placed by propagation.
FailureOr<double> propagatedSeconds(ModuleOp differentiated, StringRef entry,
                                    const Target& target,
                                    const Device& device) {
  mlir::OwningOpRef<ModuleOp> module = differentiated.clone();
  Propagation propagation(target.mesh, /*splitsInputs=*/!hasPin(*module));
  if (failed(placeModule(*module, target.name, target.mesh, propagation)) ||
      failed(bringTo(Form::Boxed, *module)))
    return failure();
  for (const ExplainedEntry& explained :
       explain(*module, target.mesh, device).entries)
    if (explained.name == entry)
      return explained.computing() + explained.communicating();
  return failure();
}

/// Searches a plan, and places `module` by it.
LogicalResult placeBySearch(ModuleOp module, const Target& target,
                            const Device& device, bool withFront,
                            PlanReport& report) {
  if (failed(verifyPlaceable(module, target.name, target.mesh)))
    return failure();
  auto searched = search::searchPlan(module, target.mesh, device);
  if (failed(searched)) return failure();
  report.searched = searched->entries;
  FailureOr<double> propagated =
      propagatedSeconds(module, report.searched.front().entry, target, device);
  if (failed(propagated)) return failure();
  report.propagated = *propagated;
  search::FrontOptions front;
  if (withFront) front.step = 0.8;
  FailureOr<search::Alternatives> alternatives =
      search::findAlternatives(module, report.searched.front().entry,
                               target.mesh, device, searched->plan, front);
  if (failed(alternatives)) return failure();
  report.alternatives = std::move(*alternatives);
  Planned planned(searched->plan);
  return placeModule(module, target.name, target.mesh, planned);
}

/// Writes the file `path`, whole or not at all.
LogicalResult writePage(mlir::MLIRContext& context, const std::string& path,
                        const std::string& page) {
  absl::StatusOr<file::OutputFile> file = file::OutputFile::create(path);
  absl::Status status = file.status();
  if (status.ok()) status = file->write(page);
  if (status.ok()) status = file->commit();
  if (status.ok()) return success();
  return mlir::emitError(mlir::UnknownLoc::get(&context))
         << std::string(status.message());
}

}  // namespace

LogicalResult explainModel(const ExplainOptions& options) {
  std::unique_ptr<ModelContext> context =
      ModelContext::create(options.dialectPlugins);
  if (!context) return failure();
  mlir::OwningOpRef<ModuleOp> module =
      loadModel(context->get(), options.source);
  if (!module) return failure();
  Form given = formOf(*module);
  if (given > Form::Boxed)
    return module->emitError()
           << "the model is in the " << stringOf(given)
           << " form, in which it no longer shows whose tensors move; "
              "explain takes any form up to the boxed one";
  if (given < Form::Placed && failed(bringTo(Form::Differentiated, *module)))
    return failure();

  if (given < Form::Placed && options.pipeline.dividesLevels &&
      failed(divideLevels(*module)))
    return failure();
  FailureOr<Target> target = chooseTarget(*module, options.pipeline.mesh);
  if (failed(target)) return failure();
  Device device = target->deviceOrAssumed(*module);
  if (options.pipeline.memoryBytes > 0)
    device.memoryBytes = options.pipeline.memoryBytes;
  PlanReport report;
  report.model = module->getName()->str();
  report.mesh = target->mesh;
  report.memoryBytes = device.memoryBytes;
  if (given < Form::Placed && failed(placeBySearch(*module, *target, device,
                                                   options.withFront, report)))
    return failure();
  if (failed(bringTo(Form::Boxed, *module))) return failure();
  report.explanation = explain(*module, target->mesh, device);
  if (!options.htmlPath.empty() &&
      failed(writePage(context->get(), options.htmlPath, htmlOf(report))))
    return failure();
  llvm::outs() << (options.isJson ? jsonOf(report) : textOf(report));
  llvm::outs().flush();
  return success();
}

}  // namespace sbp
