// Loads and stores of adjacent elements by a thread, with an instruction for
// each 16 bytes. Elements are converted between the types of memory and of
// computation: bf16 and f32, i8 and i1.

#ifndef CODEGEN_CUDA_VECTORACCESS_H_
#define CODEGEN_CUDA_VECTORACCESS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// Greatest number of bytes that one instruction loads or stores.
inline constexpr int64_t kBytesOfAccess = 16;

/// Returns the number of elements of `elementType` in kBytesOfAccess bytes.
/// `elementType` is a type of memory: i8, not i1.
int64_t lanesOfAccess(mlir::Type elementType);

/// Returns the type in which elements of `elementType` are computed: f32 for
/// shorter floats, the type itself for others.
mlir::Type computeType(mlir::Type elementType);

/// Loads `lanes` elements from `ref` on, without conversion. If the vector has
/// more than kBytesOfAccess bytes, `ref` must be aligned to kBytesOfAccess.
/// Otherwise the number of bytes must be a power of two, and `ref` aligned to
/// it.
mlir::Value loadStored(KernelBuilder& builder, ElementRef ref, int64_t lanes);

/// Converts the vector `stored`, as loadStored() returns it, to the compute
/// type. `elementType` is the element type of the tensor: that of `stored`,
/// except that an i1 is stored as an i8.
mlir::Value toComputeType(KernelBuilder& builder, mlir::Value stored,
                          mlir::Type elementType);

/// Loads `lanes` elements from `ref` on by loadStored(), and converts them by
/// toComputeType().
mlir::Value loadLanes(KernelBuilder& builder, ElementRef ref,
                      mlir::Type elementType, int64_t lanes);

/// Stores `vector` from `ref` on, converting it to the type of memory. `ref`
/// and the bytes stored must be as for loadStored().
void storeLanes(KernelBuilder& builder, mlir::Value vector, ElementRef ref);

/// Loads or stores one element as a scalar, with conversion. The tensor must
/// not have elements of i1.
mlir::Value loadOne(KernelBuilder& builder, ElementRef ref);
void storeOne(KernelBuilder& builder, mlir::Value value, ElementRef ref);

/// Returns the vector of the `count` lanes of `vector` from lane `first` on.
mlir::Value takeLanes(KernelBuilder& builder, mlir::Value vector, int64_t first,
                      int64_t count);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_VECTORACCESS_H_
