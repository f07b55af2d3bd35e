#include "codegen/interpreter/testing/Programs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/RandomTensor.h"
#include "dialects/Dialects.h"
#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Parser/Parser.h"

namespace sbp::interpreter {

TestContext::TestContext() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context_.appendDialectRegistry(registry);
  context_.loadAllAvailableDialects();
  context_.allowUnregisteredDialects();
}

Program::Program(TestContext& context, const std::string& text)
    : handler_(context.get(), [this](mlir::Diagnostic& diagnostic) {
        error_ += diagnostic.str() + "\n";
        for (mlir::Diagnostic& note : diagnostic.getNotes())
          error_ += note.str() + "\n";
      }) {
  module_ = mlir::parseSourceString<ModuleOp>(text, context.get());
  if (!module_) {
    ADD_FAILURE() << error_ << text;
    module_ = ModuleOp::create(mlir::UnknownLoc::get(context.get()));
  }
  parameters_ = initialParameters(module(), /*seed=*/1);
}

FailureOr<Results> Program::run(StringRef name, ArrayRef<Tensor> arguments) {
  return Interpreter(module(), evaluators_, parameters_).run(name, arguments);
}

std::vector<Tensor> Program::randomArguments(StringRef name, uint64_t seed) {
  auto function = module().lookupSymbol<mlir::func::FuncOp>(name);
  std::vector<Tensor> arguments;
  if (!function) return arguments;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    arguments.push_back(
        randomTensor(llvm::cast<RankedTensorType>(type),
                     CountedRandom(seed, "argument " + std::to_string(index)),
                     /*integerBound=*/5));
  return arguments;
}

double distance(const Tensor& actual, const Tensor& expected) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (actual.type() != expected.type()) return infinity;
  double largest = 0;
  for (int64_t index = 0; index < expected.numElements(); ++index) {
    double a = actual.asDouble(index);
    double b = expected.asDouble(index);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    double difference = std::abs(a - b) / std::max(1.0, std::abs(b));
    if (!std::isfinite(difference)) return infinity;
    largest = std::max(largest, difference);
  }
  return largest;
}

void PrintTo(const Tensor& tensor, std::ostream* stream) {
  std::string type;
  llvm::raw_string_ostream(type) << tensor.type();
  *stream << type << " " << tensor.str();
}

}  // namespace sbp::interpreter
