// Tensors of the interpreter as generated code has them in memory: dense,
// row-major, f32, bf16, i32 or i64 elements, and i1 as bytes.

#ifndef CODEGEN_KERNELS_TESTING_TENSORMEMORY_H_
#define CODEGEN_KERNELS_TESTING_TENSORMEMORY_H_

#include <cstdint>

#include "codegen/interpreter/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// Bytes of a tensor of this type.
int64_t bytesOf(mlir::RankedTensorType type);

/// Writes the elements to `memory`, which has room for bytesOf its type.
void storeTensor(const interpreter::Tensor& tensor, void* memory);

/// The tensor that lies at `memory`.
interpreter::Tensor loadTensor(mlir::RankedTensorType type, const void* memory);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_TENSORMEMORY_H_
