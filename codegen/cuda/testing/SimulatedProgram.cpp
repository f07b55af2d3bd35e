#include "codegen/cuda/testing/SimulatedProgram.h"

#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "codegen/cuda/DeviceCode.h"
#include "codegen/cuda/LowerToLlvm.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp::cuda {
namespace {

int64_t bytesOf(const plan::LocalType& type) {
  return std::accumulate(type.shape.begin(), type.shape.end(),
                         plan::byteWidth(type.elementType),
                         std::multiplies<int64_t>());
}

}  // namespace

SimulatedProgram::SimulatedProgram() = default;
SimulatedProgram::~SimulatedProgram() = default;

FailureOr<std::unique_ptr<SimulatedProgram>> SimulatedProgram::of(
    DeviceKernels& kernels, const plan::Plan& plan, const Chip& chip) {
  if (failed(lowerToLlvm(kernels.kernels()))) return failure();
  FailureOr<DeviceCode> code = DeviceCode::of(kernels.kernels(), chip);
  if (failed(code)) return failure();
  std::unique_ptr<SimulatedProgram> program(new SimulatedProgram);
  program->launched_ = plan.kernels;
  const mlir::Location loc = kernels.kernels().getLoc();
  absl::StatusOr<std::unique_ptr<simt::Simulator>> simulator =
      simt::Simulator::load(code->module());
  if (!simulator.ok())
    return mlir::emitError(loc) << simulator.status().ToString();
  program->simulator_ = std::move(*simulator);
  if (failed(program->makeFunctions(loc))) return failure();
  return program;
}

/// Compiles a function per kernel. A kernel is called by its address, with its
/// buffers only, so the function adds the program and the kernel's index.
LogicalResult SimulatedProgram::makeFunctions(mlir::Location loc) {
  auto error = [&](llvm::Error error) {
    return mlir::emitError(loc) << llvm::toString(std::move(error));
  };
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder().create();
  if (!jit) return error(jit.takeError());
  jit_ = std::move(*jit);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>("functions", *context);
  llvm::IRBuilder<> builder(*context);
  llvm::Type* pointer = builder.getPtrTy();
  llvm::Type* none = builder.getVoidTy();
  auto* type = llvm::FunctionType::get(
      none, {pointer, builder.getInt64Ty(), pointer}, /*isVarArg=*/false);
  auto address = [&](const void* of) {
    return builder.CreateIntToPtr(
        builder.getInt64(reinterpret_cast<uintptr_t>(of)), pointer);
  };
  for (size_t i = 0; i < launched_.size(); ++i) {
    auto* function = llvm::Function::Create(
        llvm::FunctionType::get(none, {pointer}, /*isVarArg=*/false),
        llvm::Function::ExternalLinkage, "kernel" + std::to_string(i), *module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(*context, "", function));
    builder.CreateCall(
        type, address(reinterpret_cast<void*>(&SimulatedProgram::run)),
        {address(this), builder.getInt64(i), function->getArg(0)});
    builder.CreateRetVoid();
  }
  if (llvm::Error added = jit_->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return error(std::move(added));
  for (size_t i = 0; i < launched_.size(); ++i) {
    auto function = jit_->lookup("kernel" + std::to_string(i));
    if (!function) return error(function.takeError());
    functions_.push_back(function->toPtr<SbpKernel>());
  }
  return success();
}

void SimulatedProgram::run(SimulatedProgram* program, int64_t kernel,
                           void* const* buffers) {
  const plan::Kernel& launched = program->launched_[kernel];
  std::vector<simt::Buffer> arguments;
  for (const auto* types : {&launched.operands, &launched.results})
    for (const plan::LocalType& type : *types)
      arguments.push_back({buffers[arguments.size()], bytesOf(type)});
  if (launched.scratchBytes > 0)
    arguments.push_back({buffers[arguments.size()], launched.scratchBytes});
  std::lock_guard<std::mutex> lock(program->mutex_);
  for (const plan::Launch& launch : launched.launches) {
    if (!program->status_.ok()) return;
    program->status_ =
        program->simulator_->run(launch.function, launch.blocks, launch.threads,
                                 arguments, simt::Order::Ascending);
  }
}

absl::Status SimulatedProgram::status() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

}  // namespace sbp::cuda
