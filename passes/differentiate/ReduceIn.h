// In which type the terms of gradients in bf16 are added up over ranks.

#ifndef PASSES_DIFFERENTIATE_REDUCEIN_H_
#define PASSES_DIFFERENTIATE_REDUCEIN_H_

namespace sbp {

enum class ReduceIn {
  F32,   // after the cast to f32: exactly
  BF16,  // before it: in half the bytes, and the sum is rounded once
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_REDUCEIN_H_
