#include "codegen/cpu/lower/testing/KernelsTest.h"

#include "codegen/cpu/KernelLibrary.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/cpu/testing/AlignedBuffer.h"
#include "codegen/cpu/testing/TensorMemory.h"
#include "gmock/gmock.h"

namespace sbp::cpu {

using interpreter::Tensor;

namespace {

using Bytes = AlignedBuffer<char>;

mlir::Operation* opOf(mlir::func::FuncOp function) {
  return &function.getBody().front().front();
}

}  // namespace

std::string nameOfCpu(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

KernelsTest::KernelsTest() {
  mlir::DialectRegistry registry;
  registerNnKernels(registry);
  context.get()->appendDialectRegistry(registry);
}

Target KernelsTest::target() {
  return *lookUpTarget(GetParam(), [this] {
    return mlir::emitError(mlir::UnknownLoc::get(context.get()));
  });
}

void KernelsTest::expectKernelsAgree(const std::vector<std::string>& functions,
                                     double tolerance) {
  std::string text;
  for (size_t i = 0; i < functions.size(); ++i)
    text += "func.func @f" + std::to_string(i) + functions[i] + "\n";
  interpreter::Program program(context, text);
  KernelLibrary library(context.get(), target());
  std::vector<int64_t> kernels;
  for (auto function : program.module().getOps<mlir::func::FuncOp>()) {
    mlir::FailureOr<int64_t> kernel = library.kernelFor(opOf(function));
    ASSERT_TRUE(mlir::succeeded(kernel)) << program.error();
    kernels.push_back(*kernel);
  }
  auto loaded = LoadedKernels::compile(library.module(), target());
  ASSERT_TRUE(loaded) << program.error();
  for (auto [function, kernel] :
       llvm::zip_equal(program.module().getOps<mlir::func::FuncOp>(), kernels))
    runBoth(program, function, library.needsOf(opOf(function))->scratchBytes,
            library.kernelNames()[kernel], *loaded, tolerance);
}

void KernelsTest::runBoth(interpreter::Program& program,
                          mlir::func::FuncOp function, int64_t scratchBytes,
                          const std::string& name, const LoadedKernels& loaded,
                          double tolerance) {
  std::vector<Tensor> arguments =
      program.randomArguments(function.getName(), /*seed=*/7);
  for (Tensor& argument : arguments) argument = withSpecialValues(argument);
  auto expected = program.run(function.getName(), arguments);
  ASSERT_TRUE(mlir::succeeded(expected)) << program.error();

  std::vector<Bytes> memory;
  for (mlir::Value operand : opOf(function)->getOperands()) {
    const Tensor& argument =
        arguments[llvm::cast<mlir::BlockArgument>(operand).getArgNumber()];
    memory.emplace_back(bytesOf(argument.type()));
    store(argument, memory.back().data());
  }
  size_t numInputs = memory.size();
  for (mlir::Type type : function.getResultTypes())
    memory.emplace_back(bytesOf(llvm::cast<mlir::RankedTensorType>(type)));
  if (scratchBytes) memory.emplace_back(scratchBytes);
  std::vector<void*> pointers;
  for (Bytes& bytes : memory) pointers.push_back(bytes.data());
  loaded[name](pointers);

  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    EXPECT_THAT(load(llvm::cast<mlir::RankedTensorType>(type),
                     memory[numInputs + i].data()),
                IsCloseTo((*expected)[i], tolerance))
        << name << ", result " << i;
  for (Bytes& bytes : memory) EXPECT_TRUE(bytes.guardsAreIntact()) << name;
}

Tensor KernelsTest::withSpecialValues(const Tensor& tensor) {
  if (!tensor.isFloat() &&
      tensor.numElements() == static_cast<int64_t>(specialIntegers.size()))
    return Tensor(tensor.type(), specialIntegers);
  if (specialValues.empty() || !tensor.isFloat()) return tensor;
  std::vector<double> elements = tensor.floats().vec();
  for (size_t i = 0; i < elements.size(); i += 2)
    elements[i] = specialValues[i / 2 % specialValues.size()];
  return Tensor(tensor.type(), elements);
}

}  // namespace sbp::cpu
