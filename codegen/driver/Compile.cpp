#include "codegen/driver/Compile.h"

#include <memory>

#include "codegen/driver/ChoosePipeline.h"
#include "codegen/driver/Lowering.h"
#include "codegen/driver/ModelSession.h"
#include "codegen/driver/PluginOps.h"
#include "codegen/driver/Stopwatch.h"
#include "codegen/driver/Summary.h"
#include "codegen/driver/WriteText.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "dialects/text/People.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/Pipelines.h"
#include "passes/names/Spelling.h"
#include "runtime/file/OutputFile.h"
#include "runtime/plan/Plan.h"

namespace sbp {
namespace {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

/// Fails if the output cannot be written, or would replace an input.
LogicalResult checkOutput(mlir::MLIRContext* context,
                          const CompileOptions& options) {
  const bool isText = options.output.emit != Emit::Executable;
  if (options.output.path == "-" || (isText && isDevice(options.output.path)))
    return success();
  for (const std::string& input :
       {options.source.path, options.source.machinePath})
    if (llvm::sys::fs::equivalent(input, options.output.path))
      return mlir::emitError(mlir::UnknownLoc::get(context))
             << "the output " << options.output.path
             << " would replace the input " << input
             << "; -o FILE says where else it goes";
  return reportError(context, file::checkWritable(options.output.path));
}

/// Warns if the devices of the machine of `module`, which is in the local form,
/// are of another kind than `kind`, for which code is made.
void warnOfOtherDevices(mlir::ModuleOp module, DeviceKind kind) {
  rank::ProgramOp program = *module.getOps<rank::ProgramOp>().begin();
  MachineOp machine = lookupMachine(program, program.getMeshAttr());
  if (!machine || !machine.getDevice() ||
      machine.getDevice()->getKind() == kind)
    return;
  if (kind == DeviceKind::Gpu) {
    machine.emitWarning()
        << "the devices of @" << machine.getSymName()
        << " are CPUs: the program is laid out for them, but its kernels are "
           "for GPUs";
    return;
  }
  machine.emitWarning()
      << "the devices of @" << machine.getSymName()
      << " are GPUs: the program is laid out for them, but runs on CPUs; "
         "--target cuda makes kernels for GPUs";
}

}  // namespace

LogicalResult compile(const CompileOptions& options) {
  Stopwatch stopwatch(options.isVerbose);
  std::unique_ptr<ModelSession> session = ModelSession::create(options);
  if (!session) return failure();
  mlir::MLIRContext& context = session->context();
  Backend& backend = session->backend();
  if (failed(backend.check(options.output.emit, context))) return failure();
  mlir::OwningOpRef<mlir::ModuleOp> module = session->load(options.source);
  // The output is checked before the work, not after it.
  if (!module || failed(checkOutput(&context, options)) ||
      failed(checkPluginOps(*module)))
    return failure();
  stopwatch.lap("read");
  CompileOptions chosen = options;
  if (failed(choosePipeline(*module, backend.target(), chosen.pipeline,
                            options.wish)))
    return failure();
  stopwatch.lap("pipeline");
  Lowering lowering(chosen, backend, session->plugins(), stopwatch);
  if (failed(lowering.run(module))) return failure();
  if (options.output.emit <= Emit::Local)
    return writeText(&context, options.output.path,
                     textOf(*module, options.output.hasPlaces));
  stopwatch.lap("plan");
  const plan::Plan& plan = lowering.plan();
  if (options.output.emit == Emit::Plan)
    return writeText(&context, options.output.path, plan::toJson(plan) + "\n");

  warnOfOtherDevices(*module, backend.kind());
  if (failed(backend.writeCode(plan, options.output, stopwatch)))
    return failure();
  if (options.hasSummary && options.output.emit == Emit::Executable)
    peopleErr() << summaryOf(plan, options.output.path, lowering.predicted(),
                             backend.describeCode());
  return success();
}

}  // namespace sbp
