// The examination of one random program: whether its ranks compute the values
// that one device computes.

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

/// A function that runs one training step of a module in the local form, as
/// stepOnRanks does.
using RunOnRanks = llvm::function_ref<FailureOr<TrainingStep>(
    ModuleOp local, ArrayRef<interpreter::Tensor> arguments, uint64_t seed)>;

/// A function that adds a machine to a differentiated program, and places the
/// program on it. Fails with a diagnostic.
using PlaceProgram =
    llvm::function_ref<LogicalResult(ModuleOp module, Choices& choices)>;

/// The verdict on a program.
enum class Verdict {
  Right,
  Wrong,
  /// The values cannot be compared, because they depend on rounding errors: the
  /// function that the program computes is discontinuous at these arguments.
  Undecidable,
};

/// The result of an examination.
struct Examination {
  Verdict verdict = Verdict::Right;
  /// Description of the difference or failure, the program in the last form
  /// that it reached (at most placed), and the logical program. Empty unless
  /// `verdict` is Wrong.
  std::string report;
};

/// Places `program` by `place`, runs one training step on one device and
/// on all ranks, and compares the loss, and parameters and state after the
/// step. Parameters and arguments are drawn from `seed`.
///
/// `run` runs the step on the ranks.
///
/// The tolerance is 1e-9 in f64, 1e-3 in f32, and 0.1 in bf16, relative as in
/// distance() (TrainingStep.h).
Examination examine(RandomProgram program, Choices& choices, uint64_t seed,
                    RunOnRanks run = stepOnRanks,
                    PlaceProgram place = placeAtRandom);

/// Returns a random program. Seven of eight programs compute in f64, the others
/// in f32.
RandomProgram programOf(MLIRContext* context, Choices& choices);

/// Runs the passes that bring `module` to `form`. Fails with a diagnostic.
LogicalResult bringTo(Form form, ModuleOp module,
                      const PipelineOptions& options = {});

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_EXAMINATION_H_
