// The C++ of AttributeText.td: attributes of ops in braces, with the shortest
// text of numbers.

#ifndef DIALECTS_SUPPORT_ATTRIBUTETEXT_H_
#define DIALECTS_SUPPORT_ATTRIBUTETEXT_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/OperationSupport.h"

namespace sbp {

/// Parses attributes in braces, or nothing, for the op `name`. Fails with a
/// diagnostic if the op does not accept one of them. Ignores `printed`.
mlir::ParseResult parseAttributes(mlir::OpAsmParser& parser,
                                  mlir::NamedAttrList& attributes,
                                  StringRef name, ArrayRef<StringRef> printed);

/// Prints `attributes` in braces, except those named in `printed` and those
/// that are the same in `defaults`, which may be null. Prints nothing if none
/// is left.
void printAttributes(mlir::OpAsmPrinter& printer,
                     mlir::DictionaryAttr attributes,
                     mlir::DictionaryAttr defaults,
                     ArrayRef<StringRef> printed);

/// Prints the attributes of `op` in braces, except those named in `printed` and
/// those that have their default value.
template <typename Op>
void printAttributes(mlir::OpAsmPrinter& printer, Op op,
                     mlir::DictionaryAttr attributes, StringRef,
                     ArrayRef<StringRef> printed) {
  typename Op::Properties properties;
  Op::populateDefaultProperties(op->getName(), properties);
  auto defaults = llvm::cast_or_null<mlir::DictionaryAttr>(
      Op::getPropertiesAsAttr(op->getContext(), properties));
  printAttributes(printer, attributes, defaults, printed);
}

}  // namespace sbp

#endif  // DIALECTS_SUPPORT_ATTRIBUTETEXT_H_
