// Ops with random operands, and the results that their kernels should have.
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

/// What tests put into operands, instead of random numbers.
struct SpecialValues {
  std::vector<double> reals;  // every other element of floats
  /// All elements of integers, in operands that have as many.
  std::vector<int64_t> integers;
};

class TestedOps {
 public:
  /// Each of `functions` is one op: all that follows `func.func @name`. The
  /// interpreter runs them in f64; where it cannot, the test fails.
  TestedOps(interpreter::TestContext& context,
            const std::vector<std::string>& functions,
            const SpecialValues& values = {});

  std::vector<mlir::Operation*> ops() const;

  /// Diagnostics so far.
  const std::string& error() const { return program_.error(); }

  /// Runs the kernel of op number `op`. How its results differ from the
  /// interpreter's, or what else is wrong; "" if nothing is. What a kernel
  /// computes may be off by `tolerance`, relative to 1 or to itself, before it
  /// is rounded, once, to the element type. With tolerance 0 it is the nearest
  /// element, of two the even one.
  std::string check(RunnableKernels& kernels, size_t op,
                    double tolerance) const;

 private:
  struct Tested {
    mlir::Operation* op;
    std::vector<interpreter::Tensor> operands;
    std::vector<interpreter::Tensor> results;  // floats are f64, not rounded
  };

  interpreter::Program program_;
  std::vector<Tested> tested_;
};

/// The function of one op without attributes: unary("nn.exp", "4x5xf32").
std::string unary(const std::string& op, const std::string& type);
std::string binary(const std::string& op, const std::string& left,
                   const std::string& right, const std::string& result);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_TESTEDOPS_H_
