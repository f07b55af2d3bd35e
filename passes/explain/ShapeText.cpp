#include "passes/explain/ShapeText.h"

#include "llvm/Support/raw_ostream.h"

namespace sbp {

std::string shapeText(ArrayRef<int64_t> shape, Type elementType) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t extent : shape) stream << extent << "x";
  stream << elementType;
  return text;
}

}  // namespace sbp
