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

/// Parses `, key = [element, ...]`, or nothing.
inline ParseResult parseOptionalList(
    AsmParser& parser, StringRef key,
    llvm::function_ref<ParseResult()> parseElement) {
  if (failed(parser.parseOptionalComma())) return success();
  return failure(parser.parseKeyword(key) || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                                parseElement));
}

/// Parses `, key = [attribute, ...]`, or nothing.
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

/// Bounds of all quantities of a machine. Within them, products of some
/// quantities neither overflow nor vanish as a double.
inline constexpr double kLeast = 1e-30, kMost = 1e30;

/// Whether the absolute value of `value` is at most kMost.
inline bool isWithinMost(const llvm::APFloat& value) {
  return std::abs(value.convertToDouble()) <= kMost;  // and no NaN
}

/// Whether `value` is from 0 to kMost, as a number of seconds must be.
inline bool isFromZero(const llvm::APFloat& value) {
  return isWithinMost(value) && value.convertToDouble() >= 0;
}

/// Whether `value` is from kLeast to kMost, as a rate must be.
inline bool isFromLeast(const llvm::APFloat& value) {
  return isWithinMost(value) && value.convertToDouble() >= kLeast;
}

}  // namespace sbp::syntax

#endif  // DIALECTS_SBP_MACHINESYNTAX_H_
