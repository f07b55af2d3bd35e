// The examination of one random program: is what its ranks compute what one
// device computes?

#ifndef TEST_PROPERTIES_EXAMINATION_H_
#define TEST_PROPERTIES_EXAMINATION_H_

#include <cstdint>
#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Forms.h"
#include "passes/Pipelines.h"
#include "test/properties/Choices.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/RandomProgram.h"
#include "test/properties/TrainingStep.h"

namespace sbp::properties {

/// Runs the rank programs of a local module.
using RunOnRanks = llvm::function_ref<FailureOr<TrainingStep>(
    ModuleOp local, ArrayRef<interpreter::Tensor> arguments, uint64_t seed)>;

/// Adds a machine to a differentiated program, and places it on that. Fails
/// with a diagnostic.
using PlaceProgram =
    llvm::function_ref<LogicalResult(ModuleOp module, Choices& choices)>;

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

/// Places `program` by `place`, runs one training step on one device and
/// on all ranks, and compares the loss, and parameters and state after the
/// step. Parameters and arguments are drawn from `seed`.
///
/// The ranks run as `run` says, which takes what stepOnRanks takes.
///
/// In f64 the errors of rounding that another order of additions brings stay
/// below 1e-12, and a tolerance of 1e-9 misses no mistake; in f32 it is 1e-3,
/// in bf16 0.1.
Examination examine(RandomProgram program, Choices& choices, uint64_t seed,
                    RunOnRanks run = stepOnRanks,
                    PlaceProgram place = placeAtRandom);

/// The program of `choices`: seven of eight compute in f64, the others in f32.
RandomProgram programOf(MLIRContext* context, Choices& choices);

/// Brings `module` to `form`. Fails with a diagnostic.
LogicalResult bringTo(Form form, ModuleOp module,
                      const PipelineOptions& options = {});

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_EXAMINATION_H_
