// The type in which gradients in bf16 are reduced over ranks.

#ifndef PASSES_DIFFERENTIATE_REDUCEIN_H_
#define PASSES_DIFFERENTIATE_REDUCEIN_H_

namespace sbp {

enum class ReduceIn {
  F32,   // after the cast to f32: terms are added exactly
  BF16,  // before the cast: half the bytes, and the sum is rounded once
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_REDUCEIN_H_
