// The terms of sums over ranks, known by placements alone.

#ifndef PASSES_BOXING_TERMS_H_
#define PASSES_BOXING_TERMS_H_

#include "dialects/sbp/Algebra.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {

/// Whether a change of placement from `from` to `to` adds up terms: on some
/// axis a Partial component becomes another one.
inline bool addsUpTerms(llvm::ArrayRef<Component> from,
                        llvm::ArrayRef<Component> to) {
  return llvm::any_of(llvm::zip(from, to), [](auto pair) {
    auto [before, after] = pair;
    return before.isPartial() && before != after;
  });
}

}  // namespace sbp

#endif  // PASSES_BOXING_TERMS_H_
