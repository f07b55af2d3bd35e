// Kernels that write in place, in tests.

#ifndef CODEGEN_KERNELS_TESTING_INPLACE_H_
#define CODEGEN_KERNELS_TESTING_INPLACE_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Where the results of tested kernels lie: in their own buffers or, as far as
/// the kernels can write in place, in those of the first operands that may be
/// or of the last ones.
enum class InPlace { None, FirstOperands, LastOperands };

/// For each result of `op`, whose kernel has `needs`, the operand in whose
/// buffer it lies, or KernelProvider::kOwnBuffer.
std::vector<int64_t> operandsOfResults(mlir::Operation* op,
                                       const KernelNeeds& needs,
                                       InPlace inPlace);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_INPLACE_H_
