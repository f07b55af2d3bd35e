// Tests that fused ops compute the bits of the single ops, on each target that
// the test program is linked with (codegen/kernels/testing/KernelsTest.h).

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "codegen/fuse/FuseElementwise.h"
#include "codegen/fuse/testing/RandomElementwise.h"
#include "codegen/interpreter/RandomTensor.h"
#include "codegen/interpreter/kernels/TensorMemory.h"
#include "codegen/interpreter/testing/Programs.h"
#include "codegen/kernels/AlignedBuffer.h"
#include "codegen/kernels/testing/KernelsTest.h"
#include "codegen/plan/KernelProvider.h"
#include "dialects/rank/Rank.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

namespace sbp {
namespace {

using interpreter::Tensor;
using mlir::func::FuncOp;
using Bytes = std::vector<char>;

/// Whether both elements have the same bits, or both are NaN.
bool isSame(double a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : a == b && std::signbit(a) == std::signbit(b);
}

/// Describes the first element in which tensors of `type` in two memories
/// differ; "" if there is none.
std::string difference(const Bytes& one, const Bytes& other,
                       mlir::RankedTensorType type) {
  const Tensor a = interpreter::loadTensor(type, one.data());
  const Tensor b = interpreter::loadTensor(type, other.data());
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    if (!isSame(a.asDouble(i), b.asDouble(i)))
      return fmt::format("element {} is {:.9g} and {:.9g}", i, a.asDouble(i),
                         b.asDouble(i));
  return "";
}

class FusedBitsTest : public testing::TestWithParam<std::string> {
 protected:
  FusedBitsTest() : target_(testedTarget(GetParam(), *context_.get())) {}

  std::vector<std::string> otherElements() const {
    if (target_->floatElement() == "f32") return {"i32", "i64", "i1"};
    return {"f32", "i32", "i1"};
  }

  /// Fuses the functions `functions`, and expects fewer ops with the same
  /// results.
  void expectSameBits(const std::string& functions) {
    interpreter::Program program(
        context_,
        "sbp.machine @m [#sbp.level<\"cpu\" x 1, alpha = 1.0e-6, "
        "beta = 1.0e-10>]\nrank.program @all on @m "
        "ranks [0] {\n" +
            functions + "}\n");
    mlir::OwningOpRef<ModuleOp> fused = program.module().clone();
    fuseElementwise(*fused);
    ASSERT_TRUE(succeeded(mlir::verify(*fused))) << program.error();
    EXPECT_LT(opsOf(*fused).size(), 0.7 * opsOf(program.module()).size());
    const std::vector<Bytes> expected =
        results(program, program.module(), InPlace::None);
    for (InPlace inPlace : {InPlace::None, InPlace::FirstOperands}) {
      const std::vector<Bytes> actual = results(program, *fused, inPlace);
      ASSERT_EQ(actual.size(), expected.size()) << program.error();
      for (size_t i = 0; i < actual.size(); ++i)
        EXPECT_EQ(difference(expected[i], actual[i], types_[i]), "")
            << "result " << i << ", in place: " << (inPlace != InPlace::None);
    }
  }

 private:
  static std::vector<FuncOp> functionsOf(ModuleOp module) {
    std::vector<FuncOp> functions;
    for (auto program : module.getOps<rank::ProgramOp>())
      for (auto function : program.getBody().getOps<FuncOp>())
        functions.push_back(function);
    return functions;
  }

  static std::vector<mlir::Operation*> opsOf(ModuleOp module) {
    std::vector<mlir::Operation*> ops;
    for (FuncOp function : functionsOf(module))
      for (mlir::Operation& op :
           function.getBody().front().without_terminator())
        ops.push_back(&op);
    return ops;
  }

  /// Returns what all functions return, by kernels for the target, and sets
  /// `types_` to the types. Returns none if they cannot be compiled.
  std::vector<Bytes> results(interpreter::Program& program, ModuleOp module,
                             InPlace inPlace) {
    std::unique_ptr<RunnableKernels> kernels =
        target_->compile(opsOf(module), inPlace);
    std::vector<Bytes> returned;
    if (!kernels) return returned;
    types_.clear();
    size_t number = 0;
    for (FuncOp function : functionsOf(module)) {
      std::map<const void*, Bytes> values;
      auto& body = function.getBody().front();
      for (mlir::Value argument : body.getArguments())
        values[argument.getAsOpaquePointer()] = randomBytes(argument);
      for (mlir::Operation& op : body.without_terminator())
        run(op, number++, *kernels, values);
      for (mlir::Value value : body.getTerminator()->getOperands()) {
        returned.push_back(values[value.getAsOpaquePointer()]);
        types_.push_back(typeOf(value));
      }
    }
    return returned;
  }

  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }

  static Bytes randomBytes(mlir::Value argument) {
    const auto number =
        llvm::cast<mlir::BlockArgument>(argument).getArgNumber();
    const Tensor tensor = interpreter::randomTensor(
        typeOf(argument),
        interpreter::CountedRandom(number, "operands of element-wise ops"),
        /*integerBound=*/5);
    Bytes bytes(interpreter::bytesOf(tensor.type()));
    interpreter::storeTensor(tensor, bytes.data());
    return bytes;
  }

  static void run(mlir::Operation& op, size_t number, RunnableKernels& kernels,
                  std::map<const void*, Bytes>& values) {
    std::vector<AlignedBuffer<char>> memory;
    for (mlir::Value operand : op.getOperands()) {
      const Bytes& bytes = values.at(operand.getAsOpaquePointer());
      memory.emplace_back(static_cast<int64_t>(bytes.size()));
      std::copy(bytes.begin(), bytes.end(), memory.back().begin());
    }
    for (mlir::Value result : op.getResults())
      memory.emplace_back(interpreter::bytesOf(typeOf(result)));
    std::vector<RunnableKernels::Buffer> buffers;
    for (AlignedBuffer<char>& bytes : memory)
      buffers.push_back({bytes.data(), bytes.size()});
    EXPECT_EQ(kernels.run(number, buffers), "");
    for (auto [index, result] : llvm::enumerate(op.getResults())) {
      const int64_t operand = kernels.operandOf(number, index);
      const AlignedBuffer<char>& bytes =
          memory[operand == KernelProvider::kOwnBuffer
                     ? op.getNumOperands() + index
                     : static_cast<size_t>(operand)];
      values[result.getAsOpaquePointer()].assign(bytes.begin(), bytes.end());
    }
  }

  interpreter::TestContext context_;
  std::unique_ptr<TestedTarget> target_;
  std::vector<mlir::RankedTensorType> types_;

 protected:
  std::string floatElement() const { return target_->floatElement(); }
};

INSTANTIATE_TEST_SUITE_P(Targets, FusedBitsTest,
                         testing::ValuesIn(testedTargets()), nameOfTarget);

TEST_P(FusedBitsTest, OfRandomFunctions) {
  constexpr int kNumFunctions = 40;
  std::string functions;
  for (uint32_t seed = 0; seed < kNumFunctions; ++seed)
    functions += RandomElementwise(seed, floatElement(), otherElements())
                     .function("f" + std::to_string(seed));
  expectSameBits(functions);
}

// Two ops compute the same product, and each adds another number to it. A fused
// op may compute the product once for both, which must not change how it is
// rounded.
TEST_P(FusedBitsTest, OfProductsThatAreAddedTo) {
  const std::string type = "tensor<4x64x" + floatElement() + ">";
  const std::string types = fmt::format("({0}, {0}) -> {0}", type);
  expectSameBits(fmt::format(
      R"(func.func @f(%x: {0}, %y: {0}, %z: {0}) -> ({0}, {0}) {{
  %p = nn.mul %x, %y : {1}
  %s = nn.add %p, %z : {1}
  %g = nn.gelu tanh %s : {0}
  %h = nn.gelu_grad tanh %s, %z : {1}
  %t = nn.sub %g, %p : {1}
  return %t, %h : {0}, {0}
}}
)",
      type, types));
}

}  // namespace
}  // namespace sbp
