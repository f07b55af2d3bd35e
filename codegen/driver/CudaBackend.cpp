#include "codegen/driver/CudaBackend.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codegen/cpu/EmitObject.h"
#include "codegen/cpu/LinkExecutable.h"
#include "codegen/cpu/ProgramTable.h"
#include "codegen/cpu/Target.h"
#include "codegen/cuda/DeviceCode.h"
#include "codegen/cuda/LowerToLlvm.h"
#include "codegen/cuda/RowKernels.h"
#include "codegen/driver/GpuMachine.h"
#include "codegen/driver/RuntimeObject.h"
#include "codegen/driver/WriteText.h"
#include "fmt/format.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/hash/TextHash.h"

namespace sbp {
namespace {

template <typename Printed>
std::string textOf(const Printed& printed) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printed(stream);
  return text;
}

}  // namespace

void CudaBackend::addMachine(ModuleOp module, int64_t numRanks) const {
  if (!gpus_)
    return addGpuMachine(module, chip_, std::max<int64_t>(numRanks, 1));
  mlir::emitRemark(mlir::UnknownLoc::get(module.getContext()))
      << "the machine is this host: "
      << addHostGpuMachine(module, *gpus_, numRanks);
}

LogicalResult CudaBackend::check(Emit emit, MLIRContext& context) const {
  auto error = [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); };
  switch (emit) {
    case Emit::Assembly:
    case Emit::Object:
      return error() << "--emit " << (emit == Emit::Object ? "obj" : "asm")
                     << " shows kernels for CPUs; kernels for GPUs show gpu, "
                        "llvm and ptx";
    default:
      return success();
  }
}

KernelProvider& CudaBackend::startKernels(MLIRContext& context) {
  return kernels_.emplace(&context);
}

LogicalResult CudaBackend::writeCode(const plan::Plan& plan,
                                     const CodeOutput& output,
                                     Stopwatch& stopwatch) {
  mlir::gpu::GPUModuleOp kernels = kernels_->kernels();
  MLIRContext* context = kernels.getContext();
  cuda::addRowKernels(kernels, plan);
  const std::string planText = plan::toJson(plan);
  // The kernels say to which plan they belong, so that files of two
  // compilations are not used together.
  const std::string mark =
      fmt::format("plan {:016x}\n", hash::ofText(planText));
  // Writes one form to the folder of forms, if there is one, and to the output,
  // if the output is this form.
  auto write = [&](Emit emit, StringRef file,
                   const std::string& text) -> LogicalResult {
    if (failed(writeForm(context, output, file, text))) return failure();
    return emit == output.emit ? writeText(context, output.path, text)
                               : success();
  };
  if (failed(write(Emit::Gpu, "6-gpu.mlir", textOf([&](llvm::raw_ostream& out) {
                     kernels->print(out);
                     out << "\n";
                   }))))
    return failure();
  if (output.emit == Emit::Gpu) return success();
  if (failed(cuda::lowerToLlvm(kernels))) return failure();
  stopwatch.lap("lower kernels");
  FailureOr<cuda::DeviceCode> code = cuda::DeviceCode::of(kernels, chip_);
  if (failed(code)) return failure();
  stopwatch.lap("optimise kernels");
  if (failed(write(Emit::Llvm, "7-llvm.ll", textOf([&](llvm::raw_ostream& out) {
                     out << "; " << mark;
                     code->module().print(out, nullptr);
                   }))))
    return failure();
  if (output.emit == Emit::Llvm) return success();
  FailureOr<std::string> ptx = code->ptx(kernels.getLoc());
  if (failed(ptx)) return failure();
  stopwatch.lap("generate code");
  const std::string image = "// " + mark + *ptx;
  if (failed(write(Emit::Ptx, "8-kernels.ptx", image))) return failure();
  if (output.emit == Emit::Ptx) return success();
  std::vector<cpu::GpuImage> images;
  if (failed(assemble(*context, image, images))) return failure();
  if (!images.empty()) stopwatch.lap("assemble");
  images.push_back({chip_.name.str(), image});
  described_ += "PTX for " + chip_.name.str();
  // By the code for the oldest GPU, every supported GPU can run the program.
  if (const cuda::Chip& oldest = cuda::chips().front();
      oldest.name != chip_.name) {
    FailureOr<cuda::DeviceCode> forAll = cuda::DeviceCode::of(kernels, oldest);
    if (failed(forAll)) return failure();
    FailureOr<std::string> ptxForAll = forAll->ptx(kernels.getLoc());
    if (failed(ptxForAll)) return failure();
    images.push_back({oldest.name.str(), "// " + mark + *ptxForAll});
    described_ += " and " + oldest.name.str();
    stopwatch.lap("generate code for all GPUs");
  }
  LogicalResult linked =
      link(*context, planText, std::move(images), output.path);
  stopwatch.lap("link");
  return linked;
}

LogicalResult CudaBackend::assemble(MLIRContext& context, StringRef ptx,
                                    std::vector<cpu::GpuImage>& images) {
  described_ = "kernels as ";
  if (!assembler_) return success();
  std::string said;
  FailureOr<std::string> code = assembler_->assemble(ptx, chip_, said);
  if (succeeded(code)) {
    described_ += fmt::format("machine code for {} by {}, and as ",
                              chip_.name.str(), assembler_->path());
    images.push_back({chip_.name.str(), *std::move(code)});
    return success();
  }
  const mlir::Location loc = mlir::UnknownLoc::get(&context);
  if (isWanted_)
    return mlir::emitError(loc)
           << assembler_->path() << " fails: " << said
           << "; --ptxas none leaves the kernels to NVIDIA's driver";
  mlir::emitWarning(loc) << assembler_->path() << " fails, so NVIDIA's driver "
                         << "assembles the kernels at the start: " << said;
  return success();
}

LogicalResult CudaBackend::link(MLIRContext& context, StringRef plan,
                                std::vector<cpu::GpuImage> images,
                                StringRef path) const {
  const mlir::Location loc = mlir::UnknownLoc::get(&context);
  auto error = [&] { return mlir::emitError(loc); };
  FailureOr<cpu::Target> target = cpu::lookUpOldestTarget(error);
  if (failed(target)) return failure();
  mlir::OwningOpRef<ModuleOp> table = ModuleOp::create(loc);
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  cpu::defineProgramTable(
      *table, {plan.str(), /*kernels=*/{}, std::move(images)}, *target);
  FailureOr<std::string> object =
      cpu::emit(*table, *target, cpu::OutputKind::kObject);
  if (failed(object)) return failure();
  return cpu::linkExecutable(
      {{"program.o", *object}, {"runtime.o", runtimeObject()}}, path, error);
}

}  // namespace sbp
