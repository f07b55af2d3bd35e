// Programs in tests: parsed from text, run by the interpreter, their
// diagnostics kept.

#ifndef CODEGEN_INTERPRETER_TESTING_PROGRAMS_H_
#define CODEGEN_INTERPRETER_TESTING_PROGRAMS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/Tensor.h"
#include "gmock/gmock.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::interpreter {

/// A context that knows every dialect of the project, and lets others stand.
class TestContext {
 public:
  TestContext();
  MLIRContext* get() { return &context_; }

 private:
  MLIRContext context_;
};

/// A module with its parameters (seed 1).
class Program {
 public:
  /// Parses and verifies `text`; a failure fails the test, and leaves an empty
  /// module.
  Program(TestContext& context, const std::string& text);

  ModuleOp module() { return module_.get(); }
  Evaluators& evaluators() { return evaluators_; }
  Parameters& parameters() { return parameters_; }

  /// The results of the function `name`.
  FailureOr<Results> run(StringRef name, ArrayRef<Tensor> arguments);

  /// A random tensor for each argument of `name`; integers are below 5.
  std::vector<Tensor> randomArguments(StringRef name, uint64_t seed);

  /// The diagnostics so far, with their notes, one a line.
  const std::string& error() const { return error_; }

 private:
  std::string error_;
  mlir::ScopedDiagnosticHandler handler_;
  mlir::OwningOpRef<ModuleOp> module_;
  Evaluators evaluators_ = standardEvaluators();
  Parameters parameters_;
};

/// The largest difference of two tensors' elements, each relative to the larger
/// of 1 and the second one's; infinite when the types or NaNs differ.
double distance(const Tensor& actual, const Tensor& expected);

/// Prints type and elements in messages of tests.
void PrintTo(const Tensor& tensor, std::ostream* stream);

/// Matches a tensor within `tolerance` of `expected`, by distance().
MATCHER_P2(IsCloseTo, expected, tolerance, "") {
  double far = distance(arg, expected);
  *result_listener << "whose distance is " << far << " from "
                   << testing::PrintToString(expected);
  return far <= tolerance;
}

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TESTING_PROGRAMS_H_
