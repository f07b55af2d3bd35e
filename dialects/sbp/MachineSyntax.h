// Parsing, printing and checks that levels, prices, rates and devices share.

#ifndef DIALECTS_SBP_MACHINESYNTAX_H_
#define DIALECTS_SBP_MACHINESYNTAX_H_

#include <cmath>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"

namespace sbp::syntax {

using mlir::AsmParser;
using mlir::AsmPrinter;
using mlir::ParseResult;

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Parses `key = 1.0e-5`.
inline ParseResult parseQuantity(AsmParser& parser, StringRef key,
                                 double& value) {
  return failure(parser.parseKeyword(key) || parser.parseEqual() ||
                 parser.parseFloat(value));
}

/// Parses `, key = [element, ...]`, if a comma is next; otherwise succeeds
/// without parsing. Therefore only the last list of an attribute can be
/// optional.
inline ParseResult parseOptionalList(
    AsmParser& parser, StringRef key,
    llvm::function_ref<ParseResult()> parseElement) {
  if (failed(parser.parseOptionalComma())) return success();
  return failure(parser.parseKeyword(key) || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                                parseElement));
}

/// Parses an optional list of attributes in the same way, and appends them to
/// `list`.
template <typename AttrT>
ParseResult parseOptionalList(AsmParser& parser, StringRef key,
                              SmallVector<AttrT>& list) {
  return parseOptionalList(
      parser, key, [&] { return parser.parseAttribute(list.emplace_back()); });
}

/// Prints `, key = [attribute, ...]`, or nothing if the list is empty.
template <typename AttrT>
void printOptionalList(AsmPrinter& printer, StringRef key,
                       ArrayRef<AttrT> list) {
  if (list.empty()) return;
  printer << ", " << key << " = [";
  llvm::interleaveComma(list, printer,
                        [&](AttrT attribute) { printer << attribute; });
  printer << "]";
}

/// Bounds of the quantities of a machine: the absolute value of each is at most
/// kMost, and those that must be positive are at least kLeast. Then a product
/// of up to ten of them neither overflows nor vanishes as a double.
inline constexpr double kLeast = 1e-30, kMost = 1e30;

/// Whether the absolute value of `value` is at most kMost.
inline bool isBounded(const llvm::APFloat& value) {
  return std::abs(value.convertToDouble()) <= kMost;  // and no NaN
}

/// Whether `value` is from 0 to kMost.
inline bool isNonNegative(const llvm::APFloat& value) {
  return isBounded(value) && value.convertToDouble() >= 0;
}

/// Whether `value` is from kLeast to kMost, as a rate or a size must be.
inline bool isPositive(const llvm::APFloat& value) {
  return isBounded(value) && value.convertToDouble() >= kLeast;
}

}  // namespace sbp::syntax

#endif  // DIALECTS_SBP_MACHINESYNTAX_H_
