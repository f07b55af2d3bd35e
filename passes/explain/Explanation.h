// Why a plan takes the time that it takes: what each op computes and what each
// movement sends, by the prices of the machine.
//
// Read off the boxed form, in which all is decided and still says whose it is,
// so any plan can be explained, whoever made it.
//
// All seconds and bytes are of one run of the entry: of all calls of a function
// that it makes, and of all steps that are alike. So parts add up to the whole
// on every line.

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

/// Collectives that are alike, or local steps.
struct ExplainedStep {
  std::string what;               // "all_gather", "slice" ...
  std::vector<std::string> axes;  // of the mesh, that it spans
  int64_t number = 1;             // of these steps, in all calls
  double partBytes = 0;  // in one step, that a device has where it has most
  /// The same of all tensors that travel together with the one of one step, its
  /// own included; 0: it travels alone.
  double bucketBytes = 0;
  double bytes = 0;                        // that a device sends, all of them
  double seconds = 0;                      // all of them
  std::vector<LevelTraffic> traffic = {};  // of that, per level
};

/// A tensor that is laid otherwise.
struct ExplainedMovement {
  std::string tensor;    // "%hidden" (passes/names/Names.h); may be empty
  std::string place;     // where it is made, "gpt.mlir:12"; may be empty
  std::string type;      // "4096x1024xf32"
  std::string from, to;  // "[S(0), B]"
  double seconds = 0;    // of all its steps
  std::vector<ExplainedStep> steps;
  double crossingBytes = 0;  // from group to group, that all ranks send
};

/// An op, and how it lies.
struct ExplainedOp {
  std::string name;       // "nn.einsum"
  std::string tensor;     // its first result, "%hidden"; may be empty
  std::string place;      // "gpt.mlir:12"; may be empty
  std::string placement;  // of its first result
  std::string type;       // of its first result, whole
  std::string localType;  // the largest part of it
  double seconds = 0;     // that it computes
  /// Of an op that communicates itself: its collectives, and their seconds.
  std::vector<ExplainedStep> steps = {};
  double communicating = 0;
};

struct ExplainedFunction {
  std::string name;
  /// The name without what tells apart functions of one layer whose calls are
  /// placed differently.
  std::string layer;
  int64_t times = 0;  // in one run of the entry
  /// The calls of a layer, numbered from 0, that are placed as this function;
  /// none if all are.
  std::vector<int64_t> calls;
  std::vector<ExplainedOp> ops;
  std::vector<ExplainedMovement> movements;

  double computing() const;
  double communicating() const;
};

struct ExplainedEntry {
  std::string name;
  std::vector<ExplainedFunction> functions;  // callers first
  /// What a device sends in one run over the links of each level of the
  /// machine, outermost first; all levels on which the mesh has an axis.
  std::vector<LevelTraffic> levels;

  double computing() const;      // seconds of one run
  double communicating() const;  // the same
};

/// Bytes on the device that has most, of what stays from run to run.
struct ExplainedMemory {
  double parameters = 0;
  double state = 0;  // of the optimiser
};

struct Explanation {
  std::vector<ExplainedEntry> entries;
  ExplainedMemory memory;
};

/// Explains `boxed`, a module in the boxed form whose tensors lie on `meshes`,
/// of devices like `device`.
Explanation explain(ModuleOp boxed, const PlacedMeshes& meshes,
                    const Device& device);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_EXPLANATION_H_
