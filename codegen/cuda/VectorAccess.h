// Accesses of one thread to neighbouring elements, by one instruction.

#ifndef CODEGEN_CUDA_VECTORACCESS_H_
#define CODEGEN_CUDA_VECTORACCESS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// What one instruction loads or stores, at most.
inline constexpr int64_t kBytesOfAccess = 16;

/// How many elements of `elementType` that is.
int64_t lanesOfAccess(mlir::Type elementType);

/// The type in which elements of `elementType` are computed with: f32 for
/// shorter floats.
mlir::Type computeType(mlir::Type elementType);

/// `lanes` elements from `place` on, in a vector of the type that they have in
/// memory; the place is a multiple of `lanes` elements from the beginning of a
/// buffer.
mlir::Value loadStored(KernelBuilder& builder, Place place, int64_t lanes);

/// Such a vector, of a tensor of `elementType`, in the elements' compute type.
/// An element of type i1 lies in memory as i8.
mlir::Value toComputeType(KernelBuilder& builder, mlir::Value stored,
                          mlir::Type elementType);

/// The two in one.
mlir::Value loadLanes(KernelBuilder& builder, Place place,
                      mlir::Type elementType, int64_t lanes);

/// Stores a vector of the elements' compute type, or of their own, likewise.
void storeLanes(KernelBuilder& builder, mlir::Value vector, Place place);

/// The same for one element, which is no vector then, and not of type i1.
mlir::Value loadOne(KernelBuilder& builder, Place place);
void storeOne(KernelBuilder& builder, mlir::Value value, Place place);

/// The `count` lanes of `vector` from lane `first` on, a vector.
mlir::Value takeLanes(KernelBuilder& builder, mlir::Value vector, int64_t first,
                      int64_t count);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_VECTORACCESS_H_
