// What the time of an entry goes to, the most first.
//
// A network repeats itself: layers are called many times, and in a layer, or in
// the step of an optimiser, many ops do the same to tensors of one shape. To
// read where the time goes, what is alike is one line:
//
//   24 calls of @attention, of which each computes queries, keys and values
//
//     72 x nn.einsum      %queries, %keys, %values      [S(0), S(1)]
//
// Parts still add up to the entry (Explanation.h).

#ifndef PASSES_EXPLAIN_SHARES_H_
#define PASSES_EXPLAIN_SHARES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/explain/Explanation.h"

namespace sbp {

/// All functions of one layer.
struct LayerShare {
  std::string layer;                        // "attention.forward"
  int64_t number = 0;                       // of calls in one run
  double computing = 0, communicating = 0;  // seconds of one run
};

/// Ops of one layer that are alike, or movements: of one kind, of tensors of
/// one type that lie alike.
struct PartShare {
  std::string layer;
  std::string what;                  // "nn.einsum" or "move"
  std::string type;                  // "4096x1024xf32"
  std::string from;                  // "[S(0), B]"; empty for an op
  std::string to;                    // where the result lies
  std::vector<std::string> tensors;  // each once, in the order of the program
  std::string place;                 // of the first, "gpt.mlir:12"
  int64_t number = 0;                // in one run
  double computing = 0, communicating = 0;  // seconds of one run
  /// The collectives, those alike as one.
  std::vector<ExplainedStep> steps;

  double seconds() const { return computing + communicating; }
};

std::vector<LayerShare> sharesOfLayers(const ExplainedEntry& entry);

/// Leaves out what takes no time.
std::vector<PartShare> sharesOfParts(const ExplainedEntry& entry);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_SHARES_H_
