#include "codegen/cpu/lower/Families.h"
namespace sbp::cpu {
void attachAttentionKernels(mlir::MLIRContext&) {}
}  // namespace sbp::cpu
