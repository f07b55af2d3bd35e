#include "codegen/kernels/families/RowExponentials.h"

namespace sbp {

using namespace mlir;
using vector::CombiningKind;

RowExponentials sumExponentials(
    Rows& rows, Arithmetic& x, ElementRef input,
    llvm::function_ref<void(Rows::At, Value)> visit) {
  // The maximum may ignore NaNs: a NaN in the row makes the sum NaN anyway.
  Value max = rows.reduce(CombiningKind::MAXNUMF,
                          [&](Rows::At at) { return rows.load(input, at); });
  Value sum = rows.reduce(CombiningKind::ADD, [&](Rows::At at) {
    Value exp = x.exp(x.sub(rows.load(input, at), max));
    if (visit) visit(at, exp);
    return exp;
  });
  return {max, sum};
}

}  // namespace sbp
