#include "codegen/driver/Backend.h"

#include <utility>

#include "codegen/cpu/lower/Kernels.h"
#include "codegen/cuda/lower/Kernels.h"
#include "codegen/driver/CpuBackend.h"
#include "codegen/driver/CudaBackend.h"
#include "codegen/driver/HostGpuMachine.h"
#include "codegen/kernels/KernelMemory.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp {
namespace {

FailureOr<std::unique_ptr<Backend>> createCpu(const BackendOptions& options,
                                              bool isForHost,
                                              MLIRContext& context) {
  FailureOr<cpu::Target> target = cpu::lookUpTarget(
      options.cpu.value_or("host"),
      [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  if (failed(target)) return failure();
  return std::unique_ptr<Backend>(
      new CpuBackend(*std::move(target), isForHost));
}

FailureOr<std::unique_ptr<Backend>> createCuda(const BackendOptions& options,
                                               bool isForHost,
                                               MLIRContext& context) {
  const auto emitError = [&] {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  };
  std::optional<FoundGpus> gpus;
  if (isForHost) {
    FailureOr<FoundGpus> found = FoundGpus::find(emitError);
    if (failed(found)) return failure();
    gpus = *std::move(found);
  }
  const cuda::Chip& usual = gpus ? *gpus->chip : cuda::chips().front();
  const std::string name = options.gpu.value_or(usual.name.str());
  const cuda::Chip* chip = cuda::chipNamed(name);
  if (!chip) {
    mlir::InFlightDiagnostic error = emitError() << "unknown GPU '" << name
                                                 << "'; known are ";
    llvm::interleaveComma(cuda::chips(), error,
                          [&](const cuda::Chip& one) { error << one.name; });
    return failure();
  }
  if (!options.ptxas)
    return std::unique_ptr<Backend>(new CudaBackend(
        *chip, cuda::Assembler::find(), /*isWanted=*/false, std::move(gpus)));
  if (*options.ptxas == "none")
    return std::unique_ptr<Backend>(new CudaBackend(
        *chip, std::nullopt, /*isWanted=*/false, std::move(gpus)));
  FailureOr<cuda::Assembler> assembler =
      cuda::Assembler::named(*options.ptxas, emitError);
  if (failed(assembler)) return failure();
  return std::unique_ptr<Backend>(new CudaBackend(
      *chip, *std::move(assembler), /*isWanted=*/true, std::move(gpus)));
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
    const BackendOptions& options, bool isForHost, MLIRContext& context) {
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
      isCpu ? createCpu(options, isForHost, context)
            : createCuda(options, isForHost, context);
  if (succeeded(backend)) addKernelMemory(context, (*backend)->target());
  return backend;
}

}  // namespace sbp
