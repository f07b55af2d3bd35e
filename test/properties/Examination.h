// The examination of one random program: is what its ranks compute what one
// device computes?

#ifndef TEST_PROPERTIES_EXAMINATION_H_
#define TEST_PROPERTIES_EXAMINATION_H_

#include <cstdint>
#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

enum class Verdict {
  Right,
  Wrong,
  /// The value depends on errors of rounding, so that there is nothing to
  /// compare with: a program whose value jumps at the numbers that it is run
  /// with.
  Undecidable,
};

struct Examination {
  Verdict verdict = Verdict::Right;
  /// When it is wrong: what is, and the program in the forms that it reached.
  std::string report;
};

/// Makes a program and a placement of `choices`, runs one training step on one
/// device and on all ranks, and compares the loss, and parameters and state
/// after the step.
///
/// Seven of eight programs compute in f64, where the errors of rounding that
/// another order of additions brings stay below 1e-12, and a tolerance of 1e-9
/// misses no mistake; the others in f32, with a tolerance of 1e-3.
Examination examine(MLIRContext* context, Choices& choices, uint64_t seed);

/// The program of a seed, differentiated but not placed.
mlir::OwningOpRef<ModuleOp> differentiatedProgram(MLIRContext* context,
                                                  uint64_t seed);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_EXAMINATION_H_
