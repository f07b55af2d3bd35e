// Checks whether what an op declares is true, by running it.
//
// An op promises several things: by which signatures it may run in parts
// (DistributedOpInterface), what its gradients are (DifferentiableOpInterface),
// and in which memory its kernel may write (canWriteInPlace). A false promise
// gives wrong numbers without an error. So each promise is tested on small
// instances of the op, with the op's own CPU kernel.

#ifndef CODEGEN_CHECK_CHECKOP_H_
#define CODEGEN_CHECK_CHECKOP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/cpu/Target.h"
#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/kernels/KernelEvaluator.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// The cases that a check runs. A longer one finds more.
struct Thoroughness {
  size_t numInstances = 8;  // of an op: shapes and attributes
  size_t numSamples = 3;    // random operands of an instance
  std::vector<std::vector<int64_t>> meshes = {{2}, {3}, {2, 2}, {2, 3}};

  /// Returns few cases, which take a fraction of a second.
  static Thoroughness quick() { return {2, 1, {{2}}}; }
};

/// Numbers of the cases that were run of an op.
struct OpChecks {
  /// Reason for which the op cannot be checked; empty if it was.
  std::string obstacle = {};
  int64_t numInstances = 0;
  int64_t numChoices = 0;    // of signatures on meshes
  int64_t numGradients = 0;  // of operands
  int64_t numInPlace = 0;    // pairs of an operand and a result
};

/// Checks ops of one context.
class OpChecker {
 public:
  OpChecker(MLIRContext* context, const cpu::Target& target,
            Thoroughness thoroughness);

  /// Checks ops like `op`, with its attributes, at small shapes. Fails after an
  /// error at the op at the first promise that is broken. An op cannot be
  /// checked if it has no CPU kernel for its types, or if its verifier accepts
  /// no shapes small enough to run.
  FailureOr<OpChecks> checkLike(Operation* op);

  /// Checks ops named `name` whose operands, shapes and attributes are drawn at
  /// random. Fails as checkLike() does, or if few ops are valid because loops
  /// do not fit what the verifier accepts. An op cannot be checked either if
  /// its verifier accepts nothing that is drawn.
  FailureOr<OpChecks> checkNamed(mlir::RegisteredOperationName name);

 private:
  FailureOr<OpChecks> check(ArrayRef<Operation*> instances);
  /// Checks one instance, and adds what was run to `checks`.
  LogicalResult check(Operation* op, OpChecks& checks);

  MLIRContext* context_;
  Thoroughness thoroughness_;
  std::vector<Mesh> meshes_;
  interpreter::KernelEvaluator kernels_;
  interpreter::Evaluators evaluators_;
};

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_CHECKOP_H_
