// The prices of all signatures by which each op of a plan could run.
//
// A price is the time of the op alone. It does not include movements that the
// signature would cause around the op. Ops that compute the same function on
// the same types have the same prices and share one list. So a deep model has
// as many lists as a shallow one.

#ifndef PASSES_EXPLAIN_SIGNATUREPRICES_H_
#define PASSES_EXPLAIN_SIGNATUREPRICES_H_

#include <string>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/explain/Pricing.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// A choice of one signature per mesh axis, and the price of one execution by
/// it.
struct PricedSignature {
  /// The choice as text in the syntax of sbp.signature, "[(S(0), B) ->
  /// (S(0))]".
  std::string text;
  OpPrice price;
  int64_t chosen = 0;  // number of ops that run by it in the plan

  double seconds() const { return price.computing + price.communicating; }
};

/// Ops of one kind, and their signatures.
struct OpSignatures {
  std::string name;  // "nn.einsum"
  /// Types of operands and results, "(8x4xf32, 4x6xf32) -> 8x6xf32".
  std::string types;
  std::vector<std::string> tensors;  // names of first results, each once
  std::string place;                 // location of the first op; may be empty
  std::string mesh;                  // mesh on which the ops run
  int64_t number = 0;                // number of ops in the program's text
  /// Whether all choices are listed. If there are too many, the list has the
  /// chosen signature and the signatures that differ from it on one mesh axis.
  bool isWhole = true;
  std::vector<PricedSignature> signatures;  // the fastest first
};

/// Returns the signatures of the ops of `boxed`, a module in the boxed form
/// whose tensors lie on `meshes` of devices like `device`. Kinds of ops are in
/// the order of their first op. An op with only one signature is left out.
/// Fails with a diagnostic at an op that cannot be priced (Pricing.h).
FailureOr<std::vector<OpSignatures>> priceSignatures(ModuleOp boxed,
                                                     const PlacedMeshes& meshes,
                                                     const Device& device);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_SIGNATUREPRICES_H_
