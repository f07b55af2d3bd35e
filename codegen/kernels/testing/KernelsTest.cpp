#include "codegen/kernels/testing/KernelsTest.h"

#include "codegen/cpu/testing/AlignedBuffer.h"
#include "codegen/cpu/testing/TensorMemory.h"
#include "gmock/gmock.h"

namespace sbp {

using interpreter::Tensor;

namespace {

using Bytes = cpu::AlignedBuffer<char>;

mlir::Operation* opOf(mlir::func::FuncOp function) {
  return &function.getBody().front().front();
}

}  // namespace

std::string nameOfTarget(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

void KernelsTest::expectKernelsAgree(const std::vector<std::string>& functions,
                                     double tolerance) {
  std::string text;
  for (size_t i = 0; i < functions.size(); ++i)
    text += "func.func @f" + std::to_string(i) + functions[i] + "\n";
  interpreter::Program program(context, text);
  std::vector<mlir::Operation*> ops;
  for (auto function : program.module().getOps<mlir::func::FuncOp>())
    ops.push_back(opOf(function));
  std::unique_ptr<RunnableKernels> kernels = target_->compile(ops);
  ASSERT_TRUE(kernels) << program.error();
  for (auto [op, function] :
       llvm::enumerate(program.module().getOps<mlir::func::FuncOp>()))
    runBoth(program, function, *kernels, op, tolerance);
}

void KernelsTest::runBoth(interpreter::Program& program,
                          mlir::func::FuncOp function, RunnableKernels& kernels,
                          size_t op, double tolerance) {
  std::vector<Tensor> arguments =
      program.randomArguments(function.getName(), /*seed=*/7);
  for (Tensor& argument : arguments) argument = withSpecialValues(argument);
  auto expected = program.run(function.getName(), arguments);
  ASSERT_TRUE(mlir::succeeded(expected)) << program.error();

  std::vector<Bytes> memory;
  for (mlir::Value operand : opOf(function)->getOperands()) {
    const Tensor& argument =
        arguments[llvm::cast<mlir::BlockArgument>(operand).getArgNumber()];
    memory.emplace_back(cpu::bytesOf(argument.type()));
    cpu::store(argument, memory.back().data());
  }
  size_t numInputs = memory.size();
  for (mlir::Type type : function.getResultTypes())
    memory.emplace_back(cpu::bytesOf(llvm::cast<mlir::RankedTensorType>(type)));
  if (int64_t bytes = kernels.scratchBytes(op)) memory.emplace_back(bytes);
  std::vector<RunnableKernels::Buffer> buffers;
  for (Bytes& bytes : memory) buffers.push_back({bytes.data(), bytes.size()});
  const std::string name = kernels.name(op);
  ASSERT_EQ(kernels.run(op, buffers), "") << name;

  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    EXPECT_THAT(cpu::load(llvm::cast<mlir::RankedTensorType>(type),
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

}  // namespace sbp
