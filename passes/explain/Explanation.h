// Explains the time of a plan: what each op computes and what each movement
// sends, by the prices of the machine.
//
// The explanation is derived from the boxed form, in which all decisions are
// made and ops still have the names of the model. So any plan can be explained,
// however it was made.
//
// All seconds and bytes are totals over one run of the entry, over all calls of
// a function, unless a comment says otherwise. So the lines of an explanation
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

/// Collectives that are alike, or local steps that are alike.
struct ExplainedStep {
  std::string what;               // "all_gather", "slice" ...
  std::vector<std::string> axes;  // names of the mesh axes that the step spans
  int64_t number = 1;             // number of these steps in all calls
  /// Bytes of the tensor in one such step, on the device that holds most of it.
  double partBytes = 0;
  /// Bytes of all tensors in the bucket of one such step, this step's tensor
  /// included; 0 if the tensor moves alone.
  double bucketBytes = 0;
  double bytes = 0;    // sent by a device, in all these steps
  double seconds = 0;  // of all these steps
  /// The same bytes and seconds, per level.
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
  /// Seconds that the op would take more in a kernel of its own; 0 if it has
  /// one.
  double saved = 0;
  /// The collectives of an op that communicates itself.
  std::vector<ExplainedStep> steps = {};
  double communicating = 0;  // total seconds of `steps`
};

/// A function of the program, with the ops and movements of its own body, those
/// of called functions left out.
struct ExplainedFunction {
  std::string name;
  /// The function's name without the suffix that distinguishes functions of one
  /// layer whose calls are placed differently.
  std::string layer;
  int64_t times = 0;  // calls in one run of the entry
  /// Indices, among the calls of the layer, of those that call this function;
  /// empty if all do.
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
  /// Traffic of a device in one run, per machine level on which some mesh of
  /// the program has an axis; outermost level first.
  std::vector<LevelTraffic> levels;

  double computing() const;      // seconds of one run
  double communicating() const;  // seconds of one run
  double saved() const;          // seconds of one run, by shared kernels
};

/// Bytes that stay from run to run: the sum over parameters, each counted on
/// the device that holds most of it.
struct ExplainedMemory {
  double parameters = 0;  // without the optimiser's state
  double state = 0;       // of the optimiser
};

struct Explanation {
  std::vector<ExplainedEntry> entries;
  ExplainedMemory memory;
};

/// Returns the explanation of `boxed`, a module in the boxed form, whose
/// tensors lie on `meshes` of devices like `device`. `shares` are those of ops
/// that share kernels; without them each op has a kernel of its own. Fails
/// after an error at an op that cannot be priced (Pricing.h).
FailureOr<Explanation> explain(ModuleOp boxed, const PlacedMeshes& meshes,
                               const Device& device,
                               const KernelShares& shares = {});

}  // namespace sbp

#endif  // PASSES_EXPLAIN_EXPLANATION_H_
