// Conversion between tensors of the interpreter and the memory of generated
// code: dense, row-major, with f32, bf16, i32 or i64 elements, and i1 as bytes.

#ifndef CODEGEN_INTERPRETER_KERNELS_TENSORMEMORY_H_
#define CODEGEN_INTERPRETER_KERNELS_TENSORMEMORY_H_

#include <cstdint>

#include "codegen/interpreter/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::interpreter {

/// Returns the number of bytes of a tensor of `type`.
int64_t bytesOf(mlir::RankedTensorType type);

/// Writes the elements of `tensor` to `memory`, which must have room for
/// bytesOf(tensor.type()).
void storeTensor(const interpreter::Tensor& tensor, void* memory);

/// Reads a tensor of `type` from `memory`.
Tensor loadTensor(mlir::RankedTensorType type, const void* memory);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_KERNELS_TENSORMEMORY_H_
