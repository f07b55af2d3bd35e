// Whether a change of placement adds up the terms of a Partial tensor.

#ifndef PASSES_BOXING_TERMS_H_
#define PASSES_BOXING_TERMS_H_

#include "dialects/sbp/Algebra.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {

/// Whether the change from placement `from` to `to`, both on one mesh, adds up
/// terms: on some axis a Partial component becomes another component.
inline bool addsUpTerms(llvm::ArrayRef<Component> from,
                        llvm::ArrayRef<Component> to) {
  return llvm::any_of(llvm::zip(from, to), [](auto pair) {
    auto [before, after] = pair;
    return before.isPartial() && before != after;
  });
}

}  // namespace sbp

#endif  // PASSES_BOXING_TERMS_H_
