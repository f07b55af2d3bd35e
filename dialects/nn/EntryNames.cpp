#include "dialects/nn/EntryNames.h"

#include "dialects/nn/Nn.h"

namespace sbp::nn {
namespace {

std::string nameIn(mlir::DictionaryAttr attributes, StringRef attributeName,
                   StringRef fallback, size_t position) {
  if (attributes)
    if (auto name = attributes.getAs<mlir::StringAttr>(attributeName))
      return name.str();
  return fallback.str() + std::to_string(position);
}

}  // namespace

std::string inputName(mlir::DictionaryAttr attributes, size_t position) {
  return nameIn(attributes, kInputAttrName, "input", position);
}

std::string outputName(mlir::DictionaryAttr attributes, size_t position) {
  return nameIn(attributes, kOutputAttrName, "output", position);
}

}  // namespace sbp::nn
