// Ops with random operands. The results of their kernels are compared with
// those of the interpreter in f64, which count as exact.
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
  /// Values of every second element of float operands: in turn, and after the
  /// last value from the first again. Empty: no element is replaced.
  std::vector<double> reals;
  /// The elements of each integer operand with as many elements as this list.
  std::vector<int64_t> integers;
};

/// The ops of some functions, numbered in the order of the functions.
class TestedOps {
 public:
  /// Each of `functions` is the text of a function with one op, from its
  /// argument list on. Runs them in the interpreter, in f64. Fails the test at
  /// the first function that cannot run.
  TestedOps(interpreter::TestContext& context,
            const std::vector<std::string>& functions,
            const SpecialValues& values = {});

  std::vector<mlir::Operation*> ops() const;

  /// The diagnostics so far, as text.
  const std::string& error() const { return program_.error(); }

  /// Runs the kernel of op `op`. Returns "" if the results of the kernel are
  /// right and the guards around its buffers unchanged (AlignedBuffer.h), or
  /// else a description of the error.
  ///
  /// A float r may differ from the exact x by tolerance * max(1, |x|), plus
  /// half a unit in the last place for rounding to the element type. With
  /// tolerance 0 it must be x rounded to nearest, ties to even. Integers,
  /// infinities and NaNs must be the same.
  std::string check(RunnableKernels& kernels, size_t op,
                    double tolerance) const;

 private:
  /// An op, its random operands, and its results by the interpreter.
  struct Tested {
    mlir::Operation* op;
    std::vector<interpreter::Tensor> operands;
    std::vector<interpreter::Tensor> results;  // exact: floats are f64
  };

  interpreter::Program program_;
  std::vector<Tested> tested_;
};

/// Returns the text, for TestedOps, of a function that applies `op` to one or
/// two operands. Types are without "tensor<>". Example: unary("nn.exp",
/// "4x5xf32").
std::string unary(const std::string& op, const std::string& type);
std::string binary(const std::string& op, const std::string& left,
                   const std::string& right, const std::string& result);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_TESTEDOPS_H_
