// Choice of the results that tested kernels write in place.

#ifndef CODEGEN_KERNELS_TESTING_INPLACE_H_
#define CODEGEN_KERNELS_TESTING_INPLACE_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// The buffers of the results of tested kernels: buffers of their own (None),
/// or, for results that the kernel can write in place, the buffer of the first
/// or of the last operand that allows it.
enum class InPlace { None, FirstOperands, LastOperands };

/// Returns, for each result of `op`, the number of the operand whose buffer it
/// uses, or KernelProvider::kOwnBuffer. `needs` are those of the op's kernel.
std::vector<int64_t> operandsOfResults(mlir::Operation* op,
                                       const KernelNeeds& needs,
                                       InPlace inPlace);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_INPLACE_H_
