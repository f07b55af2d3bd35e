// Shapes of tensors as text.

#ifndef PASSES_EXPLAIN_SHAPETEXT_H_
#define PASSES_EXPLAIN_SHAPETEXT_H_

#include <string>

#include "dialects/support/LLVM.h"

namespace sbp {

/// Returns the text of a tensor's type, "4096x1024xf32".
std::string shapeText(ArrayRef<int64_t> shape, Type elementType);

}  // namespace sbp

#endif  // PASSES_EXPLAIN_SHAPETEXT_H_
