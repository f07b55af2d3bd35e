#include "dialects/nn/EntryNames.h"

#include "dialects/nn/Nn.h"
#include "llvm/ADT/StringMap.h"

namespace sbp::nn {
namespace {

std::string nameIn(mlir::DictionaryAttr attributes, StringRef attributeName,
                   StringRef fallback, size_t position) {
  if (attributes)
    if (auto name = attributes.getAs<mlir::StringAttr>(attributeName))
      return name.str();
  return fallback.str() + std::to_string(position);
}

/// Fails with an error at `entry` if two of its arguments, or two of its
/// results, have the same name. `attributeName` and `fallback` are passed to
/// nameIn(). `what` is "argument" or "result".
LogicalResult verifyNames(Operation* entry, StringRef what,
                          StringRef attributeName, StringRef fallback,
                          ArrayRef<mlir::DictionaryAttr> attributes) {
  llvm::StringMap<size_t> positions;
  for (auto [position, own] : llvm::enumerate(attributes)) {
    const std::string name = nameIn(own, attributeName, fallback, position);
    auto [other, isNew] = positions.try_emplace(name, position);
    if (isNew) continue;
    const size_t first = other->second;
    const auto isGiven = [&](size_t at) {
      return attributes[at] && attributes[at].contains(attributeName);
    };
    if (isGiven(first) && isGiven(position))
      return entry->emitOpError()
             << "calls " << what << "s " << first << " and " << position
             << " both \"" << name << "\"";
    const auto [given, unnamed] = isGiven(first) ? std::pair(first, position)
                                                 : std::pair(position, first);
    return entry->emitOpError()
           << "calls " << what << " " << given << " \"" << name
           << "\", which is the name of " << what << " " << unnamed
           << ", as that has no '" << attributeName << "'";
  }
  return success();
}

}  // namespace

std::string inputName(mlir::DictionaryAttr attributes, size_t position) {
  return nameIn(attributes, kInputAttrName, "input", position);
}

std::string outputName(mlir::DictionaryAttr attributes, size_t position) {
  return nameIn(attributes, kOutputAttrName, "output", position);
}

LogicalResult verifyInputNames(Operation* entry,
                               ArrayRef<mlir::DictionaryAttr> attributes) {
  return verifyNames(entry, "argument", kInputAttrName, "input", attributes);
}

LogicalResult verifyOutputNames(Operation* entry,
                                ArrayRef<mlir::DictionaryAttr> attributes) {
  return verifyNames(entry, "result", kOutputAttrName, "output", attributes);
}

}  // namespace sbp::nn
