#include "dialects/sbp/Kept.h"

namespace sbp {

std::string_view stringOf(Kept kept) {
  switch (kept) {
    case Kept::All:
      return "all";
    case Kept::Products:
      return "products";
    case Kept::Inputs:
      return "inputs";
  }
  return {};
}

std::optional<Kept> keptOf(std::string_view name) {
  for (const Kept kept : kAllKept)
    if (stringOf(kept) == name) return kept;
  return std::nullopt;
}

}  // namespace sbp
