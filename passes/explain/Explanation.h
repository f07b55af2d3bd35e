// Explains the time of a plan: what each op computes and what each movement
// sends, by the prices of the machine.
//
// The explanation is derived from the boxed form, where all decisions are made
// and ops still carry the names of the model. So any plan can be explained,
// however it was made.
//
// All seconds and bytes are totals over one run of the entry: over all calls of
// a function, and over all steps that are alike. So the lines of an explanation
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
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// Collectives that are alike, or local steps that are alike.
struct ExplainedStep {
  std::string what;               // "all_gather", "slice" ...
  std::vector<std::string> axes;  // names of the mesh axes that the step spans
  int64_t number = 1;             // number of these steps in all calls
  /// Bytes of the tensor in one step, on the device that holds most.
  double partBytes = 0;
  /// Bytes of all tensors that share the bucket of one such step, this step's
  /// tensor included; 0 if the tensor moves alone.
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
  /// Indices of the calls of the layer that have this function's placements;
  /// empty if all calls have them.
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
  /// Traffic of a device in one run over the links of each machine level on
  /// which the mesh has an axis, outermost level first.
  std::vector<LevelTraffic> levels;

  double computing() const;      // seconds of one run
  double communicating() const;  // seconds of one run
};

/// Bytes of parameters on the device that holds most; they stay from run to
/// run.
struct ExplainedMemory {
  double parameters = 0;
  double state = 0;  // of the optimiser
};

struct Explanation {
  std::vector<ExplainedEntry> entries;
  ExplainedMemory memory;
};

/// Explains `boxed`, a module in the boxed form, whose tensors lie on `meshes`
/// of devices like `device`.
Explanation explain(ModuleOp boxed, const PlacedMeshes& meshes,
                    const Device& device);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_EXPLANATION_H_
