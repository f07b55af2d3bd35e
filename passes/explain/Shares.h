// The shares of an entry's time that layers, ops and movements take.
//
// A network repeats itself: layers are called many times, and many ops of a
// layer or of an optimiser step do the same to tensors of one shape. Ops that
// are alike are therefore one share. If 24 calls of @attention each compute
// queries, keys and values, one share has them all:
//
//     72 x nn.einsum      %queries, %keys, %values      [S(0), S(1)]
//
// The shares still add up to the entry (Explanation.h).

#ifndef PASSES_EXPLAIN_SHARES_H_
#define PASSES_EXPLAIN_SHARES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/explain/Explanation.h"

namespace sbp {

/// The time of all functions of one layer.
struct LayerShare {
  std::string layer;                        // "attention.forward"
  int64_t number = 0;                       // calls in one run
  double computing = 0, communicating = 0;  // seconds of one run
};

/// Ops or movements of one layer that are alike: of the same kind, type and
/// placement.
struct PartShare {
  std::string layer;
  std::string what;  // "nn.einsum" or "move"
  std::string type;  // whole type, "4096x1024xf32"
  std::string from;  // placement before, "[S(0), B]"; empty for an op
  std::string to;    // placement of the result
  std::vector<std::string> tensors;  // distinct names, in program order
  std::string place;                 // location of the first, "gpt.mlir:12"
  int64_t number = 0;                // executions in one run
  double computing = 0, communicating = 0;  // seconds of one run
  /// The steps that take time; steps that are alike are merged.
  std::vector<ExplainedStep> steps;

  double seconds() const { return computing + communicating; }
};

/// Returns the share of each layer, longest first.
std::vector<LayerShare> sharesOfLayers(const ExplainedEntry& entry);

/// Returns the shares of ops and movements, longest first. Leaves out shares
/// that take no time.
std::vector<PartShare> sharesOfParts(const ExplainedEntry& entry);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_SHARES_H_
