// Ops with random operands, and the exact results to compare those of their
// kernels with.
//
//   TestedOps ops(context, {"(%x: tensor<7xf32>) -> tensor<7xf32> {"
//                           " %y = nn.exp %x : tensor<7xf32> return %y :"
//                           " tensor<7xf32> }"});
//   ops.check(kernels, /*op=*/0, /*tolerance=*/1e-6)    // "", or what is wrong

#ifndef CODEGEN_KERNELS_TESTING_TESTEDOPS_H_
#define CODEGEN_KERNELS_TESTING_TESTEDOPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "codegen/interpreter/testing/Programs.h"
#include "codegen/kernels/testing/RunnableKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Values that tests put into operands in place of random numbers.
struct SpecialValues {
  /// Values for every second element of float operands, repeated in turn.
  std::vector<double> reals;
  /// All elements of the integer operands that have as many elements.
  std::vector<int64_t> integers;
};

class TestedOps {
 public:
  /// Each of `functions` is the text of a function with one op, from its
  /// argument list on. Runs them in the interpreter, in f64; fails the test
  /// where that fails.
  TestedOps(interpreter::TestContext& context,
            const std::vector<std::string>& functions,
            const SpecialValues& values = {});

  std::vector<mlir::Operation*> ops() const;

  /// The diagnostics so far, as text.
  const std::string& error() const { return program_.error(); }

  /// Runs the kernel of op number `op`. Returns "" if its results are right,
  /// or else a description of the error.
  ///
  /// A result r may differ from the exact x by tolerance * max(1, |x|), and by
  /// half a unit in the last place for rounding to the element type. With
  /// tolerance 0 it must be x rounded to nearest, ties to even.
  std::string check(RunnableKernels& kernels, size_t op,
                    double tolerance) const;

 private:
  struct Tested {
    mlir::Operation* op;
    std::vector<interpreter::Tensor> operands;
    std::vector<interpreter::Tensor> results;  // exact: floats are f64
  };

  interpreter::Program program_;
  std::vector<Tested> tested_;
};

/// Returns the text of a function with one op without attributes, from its
/// argument list on. Example: unary("nn.exp", "4x5xf32").
std::string unary(const std::string& op, const std::string& type);
std::string binary(const std::string& op, const std::string& left,
                   const std::string& right, const std::string& result);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_TESTEDOPS_H_
