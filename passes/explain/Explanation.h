// Explains the time of a plan: what each op computes and what each movement
// sends, by the prices of the machine.
//
// The explanation is derived from the boxed form. This form has all decisions,
// and its ops still have the names of the model. So a plan can be explained no
// matter how it was made.
//
// Unless a comment says otherwise, seconds and bytes are totals over one run of
// the entry, all calls of a function included. So the lines of an explanation
// add up to the whole.

#ifndef PASSES_EXPLAIN_EXPLANATION_H_
#define PASSES_EXPLAIN_EXPLANATION_H_

#include <string>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cost/Collectives.h"
#include "passes/explain/KernelShares.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// Equal steps of one movement, or of one op: collectives, or local steps.
struct ExplainedStep {
  std::string what;               // "all_gather", "slice" ...
  std::vector<std::string> axes;  // names of the mesh axes that the step spans
  int64_t number = 1;             // number of these steps in all calls
  /// Bytes of the tensor in one of these steps, on the device that holds most
  /// of it.
  double partBytes = 0;
  /// Bytes of all tensors in the bucket of one of these steps; 0 if the tensor
  /// moves alone.
  double bucketBytes = 0;
  double bytes = 0;    // sent by a device, in all these steps
  double seconds = 0;  // of all these steps
  /// `bytes` and `seconds` divided by level.
  std::vector<LevelTraffic> traffic = {};
};

/// A tensor that changes its placement.
struct ExplainedMovement {
  std::string tensor;  // "%hidden" (passes/names/Names.h); may be empty
  std::string place;   // where the tensor is made, "gpt.mlir:12"; may be empty
  std::string type;    // whole type, "4096x1024xf32"
  std::string from, to;  // placements, "[S(0), B]"
  double seconds = 0;    // of all its steps
  std::vector<ExplainedStep> steps;
  double crossingBytes = 0;  // bytes that all ranks send from group to group
};

/// An op and its placement.
struct ExplainedOp {
  std::string name;       // "nn.einsum"
  std::string tensor;     // name of the first result, "%hidden"; may be empty
  std::string place;      // location, "gpt.mlir:12"; may be empty
  std::string placement;  // of the first result
  std::string type;       // whole type of the first result
  std::string localType;  // type of its largest local part
  double seconds = 0;     // of computing
  /// Seconds that the op saves by sharing a kernel with other ops; 0 if it has
  /// a kernel of its own.
  double saved = 0;
  /// The collectives of an op that communicates itself, such as a halo
  /// exchange.
  std::vector<ExplainedStep> steps = {};
  double communicating = 0;  // total seconds of `steps`
};

/// A function of the program, with the ops and movements of its own body. Those
/// of the functions that it calls are left out.
struct ExplainedFunction {
  std::string name;
  /// Name of the layer: the function's name without a suffix. The suffix
  /// distinguishes the functions of a layer whose calls are placed differently.
  std::string layer;
  int64_t times = 0;  // calls in one run of the entry
  /// Number of these calls that compute values again for a backward pass.
  int64_t timesAgain = 0;
  /// Indices of the layer's calls that call this function, among all calls of
  /// the layer. Empty if all calls of the layer do.
  std::vector<int64_t> calls;
  std::vector<ExplainedOp> ops;
  std::vector<ExplainedMovement> movements;

  double computing() const;      // seconds of all calls
  double communicating() const;  // seconds of all calls
};

/// An entry, with all functions that it calls.
struct ExplainedEntry {
  std::string name;
  std::vector<ExplainedFunction> functions;  // callers first
  /// Traffic of a device in one run, per machine level, outermost first. Has
  /// the levels on which some mesh of the program has an axis.
  std::vector<LevelTraffic> levels;

  double computing() const;      // seconds of one run
  double communicating() const;  // seconds of one run
  double saved() const;          // seconds saved in one run by shared kernels
  /// Seconds of one run to compute values again that layers do not keep,
  /// communicating included.
  double recomputing() const;
};

/// Bytes that stay from run to run. Each parameter counts with its bytes on the
/// device that holds most of it.
struct ExplainedMemory {
  double parameters = 0;  // without the optimiser's state
  double state = 0;       // of the optimiser
};

/// The explanation of a program.
struct Explanation {
  std::vector<ExplainedEntry> entries;
  ExplainedMemory memory;
};

/// Returns the explanation of `boxed`, a module in the boxed form, whose
/// tensors lie on `meshes` of devices like `device`. `shares` says how much
/// time ops save in shared kernels; by default each op has a kernel of its own.
/// Fails with a diagnostic at an op that cannot be priced (Pricing.h).
FailureOr<Explanation> explain(ModuleOp boxed, const PlacedMeshes& meshes,
                               const Device& device,
                               const KernelShares& shares = {});

}  // namespace sbp

#endif  // PASSES_EXPLAIN_EXPLANATION_H_
