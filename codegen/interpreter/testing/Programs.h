// Programs of tests: parsed from text and run by the interpreter. Their
// diagnostics are kept.

#ifndef CODEGEN_INTERPRETER_TESTING_PROGRAMS_H_
#define CODEGEN_INTERPRETER_TESTING_PROGRAMS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/Tensor.h"
#include "codegen/interpreter/evaluate/StandardEvaluators.h"
#include "gmock/gmock.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::interpreter {

/// A context with every dialect of the project. It allows ops of unregistered
/// dialects.
class TestContext {
 public:
  TestContext();
  MLIRContext* get() { return &context_; }

 private:
  MLIRContext context_;
};

/// A module with its parameters, initialised with seed 1.
class Program {
 public:
  /// Parses and verifies `text`. If `text` is not valid, the test fails, and
  /// the module is empty. Until it is destroyed, this object keeps the
  /// diagnostics of `context`.
  Program(TestContext& context, const std::string& text);

  ModuleOp module() { return module_.get(); }
  Evaluators& evaluators() { return evaluators_; }
  Parameters& parameters() { return parameters_; }

  /// Runs the function `name`, and returns its results. Fails as
  /// Interpreter::run() does.
  FailureOr<Results> run(StringRef name, ArrayRef<Tensor> arguments);

  /// Returns a random tensor for each argument of the function `name`; integers
  /// are from 0 to 4. Returns none if there is no such function.
  std::vector<Tensor> randomArguments(StringRef name, uint64_t seed);

  /// Returns the diagnostics so far, with their notes, one per line.
  const std::string& error() const { return error_; }

 private:
  std::string error_;
  mlir::ScopedDiagnosticHandler handler_;
  mlir::OwningOpRef<ModuleOp> module_;
  Evaluators evaluators_ = standardEvaluators();
  Parameters parameters_;
};

/// Returns the largest difference between elements of two tensors, each divided
/// by the larger of 1 and the expected element's magnitude. Returns infinity if
/// the types differ, or if one of two different elements is NaN or infinite.
double distance(const Tensor& actual, const Tensor& expected);

/// Prints type and elements, for messages of tests.
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
