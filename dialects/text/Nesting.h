// The nesting depth of MLIR text, found before the text is parsed.
//
// MLIR's parser, printer and walks are recursive. Brackets that a broken
// generator nests thousands deep would overflow the stack, and the process
// would end without a message. Therefore the text is scanned first, without
// recursion. The scan recognises only the constructs that nest:
//
//   module { func.func private @f(tensor<4xf32, #sbp.nd<@m, [S(0)]>>) }
//          1                     2      3              4    5 6
//
// Besides brackets, two constructs nest: an operator of an affine expression,
// whose operand is the whole expression before it; and the use of an alias,
// `#a = [#b]`, which is as deep as the alias's definition.

#ifndef DIALECTS_TEXT_NESTING_H_
#define DIALECTS_TEXT_NESTING_H_

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace sbp {

/// A fault in a text for which MLIR's parser must not be called.
struct TextFault {
  size_t offset = 0;  // of the fault from the beginning of the text, in bytes
  std::string message;
};

/// Returns the first fault in `text`: nesting that is too deep, or an alias or
/// a shape that is too long to be parsed in reasonable time. Returns nothing if
/// `text` has no such fault, even if it is not MLIR.
std::optional<TextFault> findTextFault(llvm::StringRef text);

}  // namespace sbp

#endif  // DIALECTS_TEXT_NESTING_H_
