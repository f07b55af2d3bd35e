#include "codegen/driver/Backend.h"

#include <utility>

#include "codegen/cpu/lower/Kernels.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/driver/CpuBackend.h"
#include "codegen/driver/CudaBackend.h"
#include "codegen/kernels/KernelMemory.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp {
namespace {

FailureOr<std::unique_ptr<Backend>> createCpu(const BackendOptions& options,
                                              MLIRContext& context) {
  FailureOr<cpu::Target> target = cpu::lookUpTarget(
      options.cpu.value_or("host"),
      [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  if (failed(target)) return failure();
  return std::unique_ptr<Backend>(new CpuBackend(*std::move(target)));
}

FailureOr<std::unique_ptr<Backend>> createCuda(const BackendOptions& options,
                                               MLIRContext& context) {
  const std::string name =
      options.gpu.value_or(cuda::chips().front().name.str());
  const auto emitError = [&] {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  };
  const cuda::Chip* chip = cuda::chipNamed(name);
  if (!chip) {
    mlir::InFlightDiagnostic error = emitError() << "unknown GPU '" << name
                                                 << "'; known are ";
    llvm::interleaveComma(cuda::chips(), error,
                          [&](const cuda::Chip& one) { error << one.name; });
    return failure();
  }
  if (!options.ptxas)
    return std::unique_ptr<Backend>(
        new CudaBackend(*chip, cuda::Assembler::find(), /*isWanted=*/false));
  if (*options.ptxas == "none")
    return std::unique_ptr<Backend>(
        new CudaBackend(*chip, std::nullopt, /*isWanted=*/false));
  FailureOr<cuda::Assembler> assembler =
      cuda::Assembler::named(*options.ptxas, emitError);
  if (failed(assembler)) return failure();
  return std::unique_ptr<Backend>(
      new CudaBackend(*chip, *std::move(assembler), /*isWanted=*/true));
}

}  // namespace

void Backend::registerKernels(DeviceKind kind,
                              mlir::DialectRegistry& registry) {
  switch (kind) {
    case DeviceKind::Cpu:
      return cpu::registerNnKernels(registry);
    case DeviceKind::Gpu:
      return cuda::registerNnKernels(registry);
  }
}

FailureOr<std::unique_ptr<Backend>> Backend::create(
    const BackendOptions& options, MLIRContext& context) {
  const bool isCpu = options.kind == DeviceKind::Cpu;
  if (isCpu && options.ptxas)
    return mlir::emitError(mlir::UnknownLoc::get(&context))
           << "--ptxas " << *options.ptxas
           << ": kernels are made for CPUs; --target cuda makes them for GPUs";
  if (const std::optional<std::string>& other =
          isCpu ? options.gpu : options.cpu)
    return mlir::emitError(mlir::UnknownLoc::get(&context))
           << (isCpu ? "--gpu " : "--cpu ") << *other
           << ": kernels are made for " << (isCpu ? "CPUs" : "GPUs")
           << "; --target " << (isCpu ? "cuda" : "cpu") << " makes them for "
           << (isCpu ? "GPUs" : "CPUs");
  FailureOr<std::unique_ptr<Backend>> backend =
      isCpu ? createCpu(options, context) : createCuda(options, context);
  if (succeeded(backend)) addKernelMemory(context, (*backend)->target());
  return backend;
}

}  // namespace sbp
