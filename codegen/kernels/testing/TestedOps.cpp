#include "codegen/kernels/testing/TestedOps.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_replace.h"
#include "codegen/interpreter/kernels/TensorMemory.h"
#include "codegen/kernels/AlignedBuffer.h"
#include "codegen/plan/KernelProvider.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

namespace sbp {

using interpreter::Tensor;

namespace {

using Bytes = AlignedBuffer<char>;

std::string textOf(const std::vector<std::string>& functions) {
  std::string text;
  for (size_t i = 0; i < functions.size(); ++i)
    text += "func.func @op" + std::to_string(i) + functions[i] + "\n";
  return text;
}

/// Returns `tensor` with the special values put in, as SpecialValues says.
Tensor withSpecialValues(const Tensor& tensor, const SpecialValues& values) {
  if (!tensor.isFloat() &&
      tensor.numElements() == static_cast<int64_t>(values.integers.size()))
    return Tensor(tensor.type(), values.integers);
  if (values.reals.empty() || !tensor.isFloat()) return tensor;
  std::vector<double> elements = tensor.floats().vec();
  for (size_t i = 0; i < elements.size(); i += 2)
    elements[i] = values.reals[i / 2 % values.reals.size()];
  return Tensor(tensor.type(), elements);
}

/// Returns `tensor` with its elements converted to f64 if they are floats.
Tensor inDouble(const Tensor& tensor) {
  if (!tensor.isFloat()) return tensor;
  auto type = mlir::RankedTensorType::get(
      tensor.shape(), mlir::Float64Type::get(tensor.type().getContext()));
  return Tensor(type, tensor.floats().vec());
}

/// Returns `exact`, each float rounded to the nearest one of `type`.
Tensor rounded(const Tensor& exact, mlir::RankedTensorType type) {
  return exact.isFloat() ? Tensor(type, exact.floats().vec()) : exact;
}

/// Returns the unit in the last place of the finite `value` in `type`.
double lastPlace(double value, mlir::FloatType type) {
  const llvm::fltSemantics& semantics = type.getFloatSemantics();
  const int least = llvm::APFloat::semanticsMinExponent(semantics);
  const int exponent = value == 0 ? least : std::max(std::ilogb(value), least);
  return std::ldexp(
      1, exponent + 1 -
             static_cast<int>(llvm::APFloat::semanticsPrecision(semantics)));
}

/// Describes the first element in which `actual` differs from `exact` by more
/// than TestedOps::check allows. Returns "" if there is none.
std::string difference(const Tensor& actual, const Tensor& exact,
                       double tolerance) {
  const Tensor nearest = rounded(exact, actual.type());
  auto real = llvm::dyn_cast<mlir::FloatType>(actual.elementType());
  for (int64_t i = 0; i < exact.numElements(); ++i) {
    const double a = actual.asDouble(i), b = nearest.asDouble(i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    double allowed = 0;
    if (real && tolerance != 0 && std::isfinite(a) && std::isfinite(b)) {
      const double x = exact.asDouble(i);
      const double larger = std::abs(a) > std::abs(b) ? a : b;
      allowed =
          tolerance * std::max(1.0, std::abs(x)) + lastPlace(larger, real) / 2;
      if (std::abs(a - x) <= allowed) continue;
    }
    return fmt::format("element {} is {:.9g}, not {:.9g}; it may be {:.3g} off",
                       i, a, exact.asDouble(i), allowed);
  }
  return "";
}

}  // namespace

TestedOps::TestedOps(interpreter::TestContext& context,
                     const std::vector<std::string>& functions,
                     const SpecialValues& values)
    : program_(context, textOf(functions)) {
  interpreter::Program exact(
      context, absl::StrReplaceAll(textOf(functions),
                                   {{"bf16", "f64"}, {"f32", "f64"}}));
  for (auto function : program_.module().getOps<mlir::func::FuncOp>()) {
    std::vector<Tensor> arguments =
        program_.randomArguments(function.getName(), /*seed=*/7);
    std::vector<Tensor> inDoubles;
    for (Tensor& argument : arguments) {
      argument = withSpecialValues(argument, values);
      inDoubles.push_back(inDouble(argument));
    }
    auto results = exact.run(function.getName(), inDoubles);
    if (mlir::failed(results)) {
      ADD_FAILURE() << exact.error();
      return;
    }
    Tested tested{&function.getBody().front().front(), {}, {}};
    for (mlir::Value operand : tested.op->getOperands())
      tested.operands.push_back(
          arguments[llvm::cast<mlir::BlockArgument>(operand).getArgNumber()]);
    tested.results.assign(results->begin(), results->end());
    tested_.push_back(std::move(tested));
  }
}

std::vector<mlir::Operation*> TestedOps::ops() const {
  std::vector<mlir::Operation*> ops;
  for (const Tested& tested : tested_) ops.push_back(tested.op);
  return ops;
}

std::string TestedOps::check(RunnableKernels& kernels, size_t op,
                             double tolerance) const {
  const Tested& tested = tested_[op];
  std::vector<Bytes> memory;
  for (const Tensor& operand : tested.operands) {
    memory.emplace_back(interpreter::bytesOf(operand.type()));
    interpreter::storeTensor(operand, memory.back().data());
  }
  const int64_t numInputs = memory.size();
  for (mlir::Type type : tested.op->getResultTypes())
    memory.emplace_back(
        interpreter::bytesOf(llvm::cast<mlir::RankedTensorType>(type)));
  if (int64_t bytes = kernels.scratchBytes(op)) memory.emplace_back(bytes);
  std::vector<RunnableKernels::Buffer> buffers;
  for (Bytes& bytes : memory) buffers.push_back({bytes.data(), bytes.size()});

  const std::string name = kernels.name(op);
  if (std::string wrong = kernels.run(op, buffers); !wrong.empty())
    return name + ": " + wrong;
  for (auto [i, type] : llvm::enumerate(tested.op->getResultTypes())) {
    const int64_t operand = kernels.operandOf(op, i);
    const Bytes& result = memory[operand == KernelProvider::kOwnBuffer
                                     ? numInputs + static_cast<int64_t>(i)
                                     : operand];
    std::string wrong =
        difference(interpreter::loadTensor(
                       llvm::cast<mlir::RankedTensorType>(type), result.data()),
                   tested.results[i], tolerance);
    if (!wrong.empty()) return fmt::format("{}, result {}: {}", name, i, wrong);
  }
  for (const Bytes& bytes : memory)
    if (!bytes.guardsAreIntact())
      return name + " writes before or behind a buffer";
  return "";
}

std::string unary(const std::string& op, const std::string& type) {
  std::string tensor = "tensor<" + type + ">";
  return "(%x: " + tensor + ") -> " + tensor + " { %y = " + op +
         " %x : " + tensor + " return %y : " + tensor + " }";
}

std::string binary(const std::string& op, const std::string& left,
                   const std::string& right, const std::string& result) {
  return "(%a: tensor<" + left + ">, %b: tensor<" + right + ">) -> tensor<" +
         result + "> { %y = " + op + " %a, %b : (tensor<" + left +
         ">, tensor<" + right + ">) -> tensor<" + result +
         "> return %y : tensor<" + result + "> }";
}

}  // namespace sbp
