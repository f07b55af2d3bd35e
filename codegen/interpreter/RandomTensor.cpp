#include "codegen/interpreter/RandomTensor.h"

#include <algorithm>

namespace sbp::interpreter {

Tensor randomTensor(RankedTensorType type, const CountedRandom& random,
                    int64_t integerBound) {
  if (type.getElementType().isInteger(1)) integerBound = 2;
  return buildByElement(type.getElementType(), [&](auto zero) {
    using Element = decltype(zero);
    std::vector<Element> elements;
    for (int64_t index = 0; index < type.getNumElements(); ++index)
      if constexpr (std::is_floating_point_v<Element>)
        elements.push_back(random.normal(index));
      else
        elements.push_back(random.integer(index, 0, integerBound - 1));
    return Tensor(type, std::move(elements));
  });
}

}  // namespace sbp::interpreter
