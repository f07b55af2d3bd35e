#include "passes/cut/UnitPrices.h"

#include <utility>

namespace sbp {
namespace {

/// The last unit so far that keeps each tensor.
class LastKeepers {
 public:
  /// Returns the last unit that keeps `tensor`, or -1 if there is none, and
  /// replaces it by `unit`.
  int64_t replace(const void* tensor, int64_t unit) {
    auto [known, isNew] = last_.try_emplace(tensor, -1);
    return std::exchange(known->second, unit);
  }

 private:
  llvm::DenseMap<const void*, int64_t> last_;
};

}  // namespace

std::vector<UnitPrice> pricesOfUnits(const EntryUnits& units,
                                     const std::vector<KindPrice>& prices) {
  std::vector<UnitPrice> all;
  LastKeepers stashed, held;
  for (const EntryUnit& unit : units.units()) {
    const KindPrice& price = prices[unit.kind];
    auto index = static_cast<int64_t>(all.size());
    UnitPrice own;
    own.seconds = price.seconds;
    own.transientBytes = price.transientBytes;
    own.held.push_back({price.heldBytes});
    own.weights.push_back({price.weightBytes});
    own.stashed.push_back({price.savedBytes});
    auto stash = [&](Value value, const KindPrice::Tensor& tensor) {
      if (tensor.stashedBytes > 0)
        own.stashed.push_back(
            {tensor.stashedBytes,
             stashed.replace(value.getAsOpaquePointer(), index)});
    };
    for (auto [value, tensor] : llvm::zip(unit.taken, price.taken)) {
      stash(value, tensor);
      mlir::FlatSymbolRefAttr parameter = parameterOf(value);
      if (!parameter) continue;
      int64_t before = held.replace(parameter.getAsOpaquePointer(), index);
      if (tensor.heldBytes > 0) own.held.push_back({tensor.heldBytes, before});
    }
    for (auto [value, tensor] : llvm::zip(unit.given, price.given))
      stash(value, tensor);
    all.push_back(std::move(own));
  }
  return all;
}

}  // namespace sbp
