#include "dialects/sbp/Network.h"

#include "llvm/Support/ErrorHandling.h"

namespace sbp {
namespace {

constexpr Collective kCollectives[] = {
    Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter,
    Collective::AllToAll};

}  // namespace

llvm::StringRef stringOf(Collective collective) {
  switch (collective) {
    case Collective::AllReduce:
      return "all_reduce";
    case Collective::AllGather:
      return "all_gather";
    case Collective::ReduceScatter:
      return "reduce_scatter";
    case Collective::AllToAll:
      return "all_to_all";
  }
  llvm_unreachable("a collective is one of four");
}

std::optional<Collective> collectiveNamed(llvm::StringRef name) {
  for (Collective collective : kCollectives)
    if (stringOf(collective) == name) return collective;
  return std::nullopt;
}

std::optional<MessagePrice> priceOf(const PriceTables& tables,
                                    Collective collective, double members,
                                    double bytes) {
  const PriceTable* chosen = nullptr;
  for (const PriceTable& table : tables) {
    if (table.collective != collective) continue;
    chosen = &table;
    if (static_cast<double>(table.members) >= members) break;
  }
  if (!chosen) return std::nullopt;
  for (const PriceClass& messages : chosen->classes)
    if (bytes <= messages.largestBytes) return messages.price;
  llvm_unreachable("the last class has no bound");
}

}  // namespace sbp
