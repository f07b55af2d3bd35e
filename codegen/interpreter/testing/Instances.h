// Instances of every op of nn, for tests that run on all ops.
//
// An instance is a function of `instances/*.mlir` with one op, whose operands
// are the function's arguments:
//
//   func.func @log(%a: tensor<5x3xf32>) -> tensor<5x3xf32>
//       attributes {test.positive} {
//     %r = nn.log %a : tensor<5x3xf32>
//     return %r : tensor<5x3xf32>
//   }

#ifndef CODEGEN_INTERPRETER_TESTING_INSTANCES_H_
#define CODEGEN_INTERPRETER_TESTING_INSTANCES_H_

#include <string>
#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "codegen/interpreter/testing/Programs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::interpreter {

/// One op, with operands to run it on.
struct Instance {
  mlir::func::FuncOp function;
  Operation* op = nullptr;
  /// Random operands. Floats are at least 1/4 if the function has
  /// `test.positive`. Integers are in [0, n), where n is the function's
  /// `test.below`, or else 5.
  std::vector<Tensor> operands;

  std::string name() { return function.getName().str(); }
};

/// Precision of instances: f32 as written, or every f32 replaced by f64. With
/// f64, differences by rounding are tiny, so a larger one is an error.
enum class Precision { AsWritten, Double };

/// The instances of one file.
class Instances {
 public:
  /// Reads `instances/<family>.mlir`, which must be among the test's data. The
  /// test fails if the file cannot be read.
  Instances(TestContext& context, const std::string& family,
            Precision precision);

  std::vector<Instance>& list() { return list_; }
  Program& program() { return program_; }

  /// Returns the families: the names of the files, without extension.
  static std::vector<std::string> families();

 private:
  Program program_;
  std::vector<Instance> list_;
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TESTING_INSTANCES_H_
