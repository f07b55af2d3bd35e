#include "codegen/driver/CpuBackend.h"

#include <algorithm>
#include <string>
#include <vector>

#include "codegen/cpu/EmitObject.h"
#include "codegen/cpu/LinkExecutable.h"
#include "codegen/cpu/LowerToLlvm.h"
#include "codegen/cpu/ProgramTable.h"
#include "codegen/driver/HostMachine.h"
#include "codegen/driver/RuntimeObject.h"
#include "codegen/driver/WriteText.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp {
namespace {

cpu::OutputKind outputKind(Emit emit) {
  switch (emit) {
    case Emit::Llvm:
      return cpu::OutputKind::kLlvm;
    case Emit::Assembly:
      return cpu::OutputKind::kAssembly;
    default:
      return cpu::OutputKind::kObject;
  }
}

/// Writes the kernels in `code` as forms, up to the form of the output.
LogicalResult writeKernels(ModuleOp code, const cpu::Target& target,
                           const CodeOutput& output) {
  const struct {
    Emit emit;
    StringRef file;
  } kForms[] = {{Emit::Llvm, "7-llvm.ll"}, {Emit::Assembly, "8-kernels.s"}};
  for (const auto& form : kForms) {
    if (form.emit > output.emit) break;
    FailureOr<std::string> text =
        cpu::emit(code, target, outputKind(form.emit));
    if (failed(text) ||
        failed(writeForm(code.getContext(), output, form.file, *text)))
      return failure();
  }
  return success();
}

}  // namespace

void CpuBackend::addMachine(ModuleOp module, int64_t numRanks) const {
  const std::string found =
      addHostMachine(module, std::max<int64_t>(numRanks, 1));
  if (isForHost_)
    mlir::emitRemark(mlir::UnknownLoc::get(module.getContext()))
        << "the machine is this host: " << found;
}

LogicalResult CpuBackend::check(Emit emit, MLIRContext& context) const {
  if (emit != Emit::Gpu && emit != Emit::Ptx) return success();
  return mlir::emitError(mlir::UnknownLoc::get(&context))
         << "--emit " << (emit == Emit::Gpu ? "gpu" : "ptx")
         << " shows kernels for GPUs, which --target cuda makes; kernels for "
            "CPUs show llvm, asm and obj";
}

KernelProvider& CpuBackend::startKernels(MLIRContext& context) {
  return kernels_.emplace(&context, target_.cpu());
}

LogicalResult CpuBackend::writeCode(const plan::Plan& plan,
                                    const CodeOutput& output,
                                    Stopwatch& stopwatch) {
  const cpu::Target& target = target_.cpu();
  ModuleOp code = kernels_->module();
  if (failed(cpu::lowerToLlvm(code, target))) return failure();
  cpu::defineProgramTable(
      code, {plan::toJson(plan), kernels_->kernelNames(), /*images=*/{}},
      target);
  stopwatch.lap("lower kernels");
  if (!output.formsFolder.empty() && failed(writeKernels(code, target, output)))
    return failure();
  if (output.emit != Emit::Executable) {
    FailureOr<std::string> bytes =
        cpu::emit(code, target, outputKind(output.emit));
    if (failed(bytes)) return failure();
    stopwatch.lap("generate code");
    return writeText(code.getContext(), output.path, *bytes);
  }
  FailureOr<std::vector<std::string>> objects = cpu::emitObjects(code, target);
  if (failed(objects)) return failure();
  stopwatch.lap("generate code");
  std::vector<cpu::ObjectBytes> linkedObjects;
  for (const std::string& object : *objects)
    linkedObjects.push_back({"program.o", object});
  linkedObjects.push_back({"runtime.o", runtimeObject()});
  LogicalResult linked = cpu::linkExecutable(linkedObjects, output.path, [&] {
    return mlir::emitError(mlir::UnknownLoc::get(code.getContext()));
  });
  stopwatch.lap("link");
  return linked;
}

}  // namespace sbp
