// How deep a text of MLIR nests, found out before it is parsed.
//
// MLIR's parser calls itself for what stands in brackets, and so do its printer
// and its walks over what was parsed. Where brackets are nested thousands deep,
// by mistake or by a broken generator, that ends the process: the stack is used
// up, and nothing is said. So the text is scanned once before, without a stack
// of calls. The scan knows of MLIR only what nests:
//
//   module { func.func private @f(tensor<4xf32, #sbp.nd<@m, [S(0)]>>) }
//          1                     2      3              4    5 6
//
// Besides brackets these nest: an operator of an affine expression, which has
// all before it as its operand; and an alias, `#a = [#b]`, which is as deep as
// what it stands for.

#ifndef DIALECTS_TEXT_NESTING_H_
#define DIALECTS_TEXT_NESTING_H_

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace sbp {

/// What MLIR's parser is not to be given.
struct TextFault {
  size_t offset = 0;  // in the text
  std::string message;
};

/// The first place of `text` that nests too deep, or where an alias or a shape
/// is longer than can be read in reasonable time. Nothing if all is well; the
/// text need not be MLIR for that.
std::optional<TextFault> findDeepNesting(llvm::StringRef text);

}  // namespace sbp

#endif  // DIALECTS_TEXT_NESTING_H_
