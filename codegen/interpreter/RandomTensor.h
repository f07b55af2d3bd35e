// Tensors of random elements, for runs whose inputs do not matter.

#ifndef CODEGEN_INTERPRETER_RANDOMTENSOR_H_
#define CODEGEN_INTERPRETER_RANDOMTENSOR_H_

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/Tensor.h"

namespace sbp::interpreter {

/// Returns a random tensor of `type`. Floating-point elements are normally
/// distributed, of mean 0 and standard deviation 1. Integers are uniformly
/// distributed in [0, integerBound), elements of i1 in {0, 1}. Element i is
/// number i of `random`.
Tensor randomTensor(RankedTensorType type, const CountedRandom& random,
                    int64_t integerBound);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANDOMTENSOR_H_
