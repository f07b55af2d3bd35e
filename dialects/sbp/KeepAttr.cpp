// The attribute that says what a layer keeps for its backward pass.

#include "dialects/sbp/Sbp.h"
#include "mlir/IR/OpImplementation.h"

namespace sbp {

Attribute KeepAttr::parse(mlir::AsmParser& parser, Type) {
  StringRef name;
  llvm::SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) ||
      parser.parseKeyword(&name) || parser.parseGreater())
    return {};
  const std::optional<Kept> kept =
      keptOf(std::string_view(name.data(), name.size()));
  if (kept) return get(parser.getContext(), *kept);
  mlir::InFlightDiagnostic error = parser.emitError(loc, "'");
  error << name << "' is nothing that a layer keeps; known are ";
  llvm::interleaveComma(kAllKept, error,
                        [&](Kept each) { error << stringOf(each); });
  return {};
}

void KeepAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<" << stringOf(getValue()) << ">";
}

Kept keptBy(Operation* function) {
  auto keep = function->getAttrOfType<KeepAttr>(kKeepAttrName);
  return keep ? keep.getValue() : Kept::All;
}

}  // namespace sbp
