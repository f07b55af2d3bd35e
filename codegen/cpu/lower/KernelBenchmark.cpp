// Measures the kernels of ops, on one thread.
//
//   KernelBenchmark ops.mlir [CPU]
//
// Each function of the module has one op, whose operands are the function's
// arguments and are all f32. Prints a line "NAME SECONDS" for each function, in
// order: its name, and the shortest of several runs. CPU names the CPU to
// generate code for; without it, it is this CPU.

#include <cstdlib>

#include "codegen/cpu/KernelLibrary.h"
#include "codegen/cpu/LoadedKernels.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/cpu/testing/BestSeconds.h"
#include "codegen/kernels/AlignedBuffer.h"
#include "dialects/Dialects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"

namespace sbp::cpu {
namespace {

mlir::Operation* opOf(mlir::func::FuncOp function) {
  return &function.getBody().front().front();
}

/// Fails with a diagnostic at an op with other elements than f32.
mlir::LogicalResult checkElements(mlir::Operation* op) {
  llvm::SmallVector<mlir::Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (mlir::Type type : types)
    if (!mlir::getElementTypeOrSelf(type).isF32())
      return op->emitOpError() << "has " << type << "; only f32 is timed";
  return mlir::success();
}

/// Returns the seconds of the op's kernel on numbers between -1/2 and 1/2.
double secondsOf(mlir::Operation* op, KernelLibrary& library,
                 const LoadedKernels& kernels, const std::string& name) {
  std::vector<AlignedBuffer<float>> memory;
  auto add = [&](mlir::Type type) {
    auto tensor = llvm::cast<mlir::RankedTensorType>(type);
    memory.emplace_back(tensor.getNumElements());
    for (int64_t i = 0; i < memory.back().size(); ++i)
      memory.back()[i] = (i * 37 % 101) / 101.0f - 0.5f;
  };
  for (mlir::Type type : op->getOperandTypes()) add(type);
  for (mlir::Type type : op->getResultTypes()) add(type);
  int64_t scratchBytes = library.target().needsOf(op)->scratchBytes;
  memory.emplace_back(scratchBytes / sizeof(float));
  std::vector<void*> pointers;
  for (AlignedBuffer<float>& buffer : memory) pointers.push_back(buffer.data());
  return bestSeconds([&] { kernels[name](pointers); });
}

int run(const char* path, const char* cpu) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registry.insert<mlir::func::FuncDialect>();
  registerNnKernels(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  mlir::FailureOr<Target> target = lookUpTarget(
      cpu, [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  if (!module || mlir::failed(target)) return EXIT_FAILURE;

  KernelLibrary library(&context, *target);
  std::vector<int64_t> numbers;
  for (auto function : module->getOps<mlir::func::FuncOp>()) {
    mlir::FailureOr<int64_t> number = library.kernelFor(opOf(function));
    if (mlir::failed(number) || mlir::failed(checkElements(opOf(function))))
      return EXIT_FAILURE;
    numbers.push_back(*number);
  }
  auto kernels = LoadedKernels::compile(library.module(), *target);
  if (!kernels) return EXIT_FAILURE;
  for (auto [function, number] :
       llvm::zip_equal(module->getOps<mlir::func::FuncOp>(), numbers)) {
    double seconds = secondsOf(opOf(function), library, *kernels,
                               library.kernelNames()[number]);
    llvm::outs() << llvm::formatv("{0} {1:e6}\n", function.getName(), seconds);
    llvm::outs().flush();
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace sbp::cpu

int main(int argc, char** argv) {
  if (argc < 2) {
    llvm::errs() << "usage: KernelBenchmark ops.mlir [CPU]\n";
    return EXIT_FAILURE;
  }
  return sbp::cpu::run(argv[1], argc > 2 ? argv[2] : "host");
}
