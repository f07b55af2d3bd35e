#include "dialects/support/AttributeText.h"

#include "dialects/support/PrintNumber.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

void printAttribute(mlir::OpAsmPrinter& printer,
                    mlir::NamedAttribute attribute) {
  auto number = llvm::dyn_cast<mlir::FloatAttr>(attribute.getValue());
  if (!number || !number.getType().isF64() || !number.getValue().isFinite())
    return printer.printNamedAttribute(attribute);
  printer.printKeywordOrString(attribute.getName());
  printer << " = ";
  printNumber(printer, number.getValue());
  printer << " : " << number.getType();
}

}  // namespace

mlir::ParseResult parseAttributes(mlir::OpAsmParser& parser,
                                  mlir::NamedAttrList& attributes,
                                  StringRef name, ArrayRef<StringRef>) {
  const llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attributes)) return failure();
  return mlir::OperationName(name, parser.getContext())
      .verifyInherentAttrs(attributes, [&] {
        return parser.emitError(location) << "'" << name << "' op ";
      });
}

void printAttributes(mlir::OpAsmPrinter& printer,
                     mlir::DictionaryAttr attributes,
                     mlir::DictionaryAttr defaults,
                     ArrayRef<StringRef> printed) {
  SmallVector<mlir::NamedAttribute> shown;
  for (mlir::NamedAttribute attribute : attributes) {
    const bool isDefault =
        defaults && defaults.get(attribute.getName()) == attribute.getValue();
    if (!isDefault && !llvm::is_contained(printed, attribute.getName()))
      shown.push_back(attribute);
  }
  if (shown.empty()) return;
  printer << " {";
  llvm::interleaveComma(shown, printer, [&](mlir::NamedAttribute attribute) {
    printAttribute(printer, attribute);
  });
  printer << "}";
}

}  // namespace sbp
