// Choice of the results that tested kernels write in place.

#ifndef CODEGEN_KERNELS_TESTING_INPLACE_H_
#define CODEGEN_KERNELS_TESTING_INPLACE_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// The buffers that results of tested kernels are written to. With None each
/// result has a buffer of its own. With FirstOperands or LastOperands a result
/// that the kernel can write in place has the buffer of the first or the last
/// operand that allows it and that no other result takes.
enum class InPlace { None, FirstOperands, LastOperands };

/// Returns, for each result of `op`, the number of the operand whose buffer the
/// result uses, or KernelProvider::kOwnBuffer. `needs` are the needs of the
/// op's kernel.
std::vector<int64_t> operandsOfResults(mlir::Operation* op,
                                       const KernelNeeds& needs,
                                       InPlace inPlace);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_INPLACE_H_
