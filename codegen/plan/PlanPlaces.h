// The places in the user's files that a plan names, collected from the
// locations of ops.

#ifndef CODEGEN_PLAN_PLANPLACES_H_
#define CODEGEN_PLAN_PLANPLACES_H_

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "runtime/plan/Places.h"

namespace sbp {

/// Numbers the origins of a plan in the order in which they are first asked
/// for. An origin is the list of the places that a task comes from.
class PlanPlaces {
 public:
  /// Returns the index, in plan::Places::origins, of the origin that has the
  /// places of all `ops` in files. The places of a rank.fused are those of the
  /// ops in its body. Returns plan::kUnknownOrigin if no op is in a file.
  int64_t originOf(ArrayRef<Operation*> ops);

  /// Moves the origins that were asked for out of this object.
  plan::Places take() { return std::move(places_); }

 private:
  /// A file, a line and a column.
  using Key = std::tuple<int64_t, int64_t, int64_t>;

  /// Adds the place of `op` to `origin`, unless it is there or unknown.
  void addPlaceOf(Operation* op, std::vector<Key>& origin);

  llvm::DenseMap<Attribute, int64_t> files_;
  std::map<std::vector<Key>, int64_t> origins_;
  plan::Places places_;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANPLACES_H_
