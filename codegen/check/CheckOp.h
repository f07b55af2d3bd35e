// Tests whether the declarations of an op are true, by running the op.
//
// An op promises three things:
//
//   signatures  placements of its operands and results with which ranks may
//               compute it in parts (DistributedOpInterface)
//   gradients   DifferentiableOpInterface
//   in place    the operands over which its kernel may write a result
//               (canWriteInPlace)
//
// A false promise gives wrong numbers without an error. So each promise is
// tested on small instances of the op, with the op's own CPU kernel.

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

/// The number of cases that a check runs. More cases find more errors.
struct Thoroughness {
  size_t numInstances = 8;  // shapes and attributes, per op
  size_t numSamples = 3;    // random operands, per instance
  std::vector<std::vector<int64_t>> meshes = {{2}, {3}, {2, 2}, {2, 3}};

  /// Returns few cases, which take a fraction of a second.
  static Thoroughness quick() { return {2, 1, {{2}}}; }
};

/// The outcome for an op that breaks no promise: the numbers of cases that were
/// run, or why none were.
struct OpChecks {
  /// Reason for which the op cannot be checked; empty if it was checked.
  std::string obstacle = {};
  int64_t numInstances = 0;
  int64_t numChoices = 0;    // signatures on meshes (SignatureChoices.h)
  int64_t numGradients = 0;  // operands whose gradients were checked
  int64_t numInPlace = 0;    // pairs of an operand and a result
};

/// Checks ops of one context.
class OpChecker {
 public:
  OpChecker(MLIRContext* context, const cpu::Target& target,
            Thoroughness thoroughness);

  /// Checks instances of `op` that have its attributes, and small shapes. Fails
  /// at the first broken promise, or if the op's code crashes, after an error
  /// at the op. Succeeds, with OpChecks::obstacle, if the op has no CPU kernel
  /// for its types, or if its verifier accepts no shapes that are small enough
  /// to run.
  FailureOr<OpChecks> checkLike(Operation* op);

  /// Checks ops named `name` whose operands, shapes and attributes are drawn at
  /// random. Fails as checkLike() does. Also fails if too few valid ops are
  /// found, and the verifier has accepted an op although the loops that the op
  /// declares do not fit it (Refusal::misfit). Sets OpChecks::obstacle also if
  /// the verifier accepts no op that is drawn.
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
