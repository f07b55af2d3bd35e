#include "dialects/support/PrintNumber.h"

#include <charconv>

namespace sbp {

void printNumber(mlir::AsmPrinter& printer, const llvm::APFloat& number) {
  char text[32];
  const std::to_chars_result end =
      std::to_chars(std::begin(text), std::end(text), number.convertToDouble());
  auto [digits, exponent] =
      StringRef(text, end.ptr - text).split('e');  // "2e-05", "4e+10"
  printer << digits;
  // MLIR parses a number without a point as an integer.
  if (!digits.contains('.')) printer << ".0";
  if (exponent.empty()) return;
  printer << "e" << (exponent.consume_front("-") ? "-" : "");
  exponent.consume_front("+");
  printer << exponent.ltrim('0');
}

}  // namespace sbp
