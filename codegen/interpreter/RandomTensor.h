// Tensors of random elements, for runs whose inputs do not matter.

#ifndef CODEGEN_INTERPRETER_RANDOMTENSOR_H_
#define CODEGEN_INTERPRETER_RANDOMTENSOR_H_

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/Tensor.h"

namespace sbp::interpreter {

/// A tensor of `type`: floating-point elements are normally distributed, of
/// mean 0 and standard deviation 1; integers are evenly distributed in [0,
/// integerBound), or 0 and 1 for i1.
Tensor randomTensor(RankedTensorType type, const CountedRandom& random,
                    int64_t integerBound);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANDOMTENSOR_H_
