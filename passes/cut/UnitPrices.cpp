#include "passes/cut/UnitPrices.h"

#include <utility>

namespace sbp {
namespace {

/// The last unit so far that keeps each tensor.
class LastKeepers {
 public:
  /// Records that `unit` is the last unit so far that keeps `tensor`. Returns
  /// the one before it, or -1 if there was none.
  int64_t replace(const void* tensor, int64_t unit) {
    auto [known, isNew] = last_.try_emplace(tensor, -1);
    return std::exchange(known->second, unit);
  }

 private:
  llvm::DenseMap<const void*, int64_t> last_;
};

}  // namespace

std::vector<UnitPrice> pricesOfUnits(const EntryUnits& units,
                                     const std::vector<UnitKindPrice>& prices) {
  std::vector<UnitPrice> all;
  LastKeepers activations, parameters;
  for (const EntryUnit& unit : units.units()) {
    const UnitKindPrice& price = prices[unit.kind];
    auto index = static_cast<int64_t>(all.size());
    UnitPrice own;
    own.seconds = price.seconds;
    own.transientBytes = price.transientBytes;
    own.persistent.push_back({price.persistentBytes});
    own.weights.push_back({price.weightBytes});
    own.activations.push_back({price.activationBytes});
    auto addActivation = [&](Value value, const UnitKindPrice::Tensor& tensor) {
      if (tensor.activationBytes > 0)
        own.activations.push_back(
            {tensor.activationBytes,
             activations.replace(value.getAsOpaquePointer(), index)});
    };
    for (auto [value, tensor] : llvm::zip(unit.operands, price.operands)) {
      addActivation(value, tensor);
      mlir::FlatSymbolRefAttr parameter = parameterOf(value);
      if (!parameter) continue;
      int64_t before =
          parameters.replace(parameter.getAsOpaquePointer(), index);
      if (tensor.sharedParameterBytes > 0)
        own.persistent.push_back({tensor.sharedParameterBytes, before});
    }
    for (auto [value, tensor] : llvm::zip(unit.results, price.results))
      addActivation(value, tensor);
    all.push_back(std::move(own));
  }
  return all;
}

}  // namespace sbp
