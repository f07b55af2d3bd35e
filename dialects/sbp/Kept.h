// The values that a layer keeps from its forward pass for its backward pass.

#ifndef DIALECTS_SBP_KEPT_H_
#define DIALECTS_SBP_KEPT_H_

#include <optional>
#include <string_view>

namespace sbp {

/// The values that a layer keeps. The backward pass computes the others again.
/// The values are in ascending order of the memory that they save.
enum class Kept {
  All,       // every value that the backward pass uses
  Products,  // results of expensive ops, such as matrix products, and of calls
  Inputs,    // the arguments of the layer
};

inline constexpr Kept kAllKept[] = {Kept::All, Kept::Products, Kept::Inputs};

/// Returns the word for `kept`: "all", "products" or "inputs".
std::string_view stringOf(Kept kept);

/// Returns the values with the word `name`, or nothing if no values have it.
std::optional<Kept> keptOf(std::string_view name);

}  // namespace sbp

#endif  // DIALECTS_SBP_KEPT_H_
