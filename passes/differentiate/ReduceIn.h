// The type in which gradients in bf16 are reduced over ranks.

#ifndef PASSES_DIFFERENTIATE_REDUCEIN_H_
#define PASSES_DIFFERENTIATE_REDUCEIN_H_

namespace sbp {

/// Whether gradients in bf16 are reduced before or after their cast to f32.
enum class ReduceIn {
  F32,   // after the cast of each term to f32
  BF16,  // before the cast: half the bytes, and the sum is rounded to bf16
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_REDUCEIN_H_
