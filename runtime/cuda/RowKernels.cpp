#include "runtime/cuda/RowKernels.h"

#include "fmt/format.h"
#include "runtime/plan/Names.h"

namespace sbp::cuda {

std::string copyFunction(int64_t width) {
  return fmt::format("copy_rows_of_{}", width);
}

std::string reduceFunction(plan::ElementType elementType,
                           plan::ReductionKind reduction) {
  return fmt::format("reduce_rows_{}_{}", plan::toString(elementType),
                     plan::toString(reduction));
}

}  // namespace sbp::cuda
