#include "dialects/sbp/KernelMemory.h"

#include "dialects/sbp/Sbp.h"

MLIR_DEFINE_EXPLICIT_TYPE_ID(sbp::KernelMemory)

namespace sbp {

const KernelMemory* kernelMemoryOf(MLIRContext* context) {
  auto* dialect = context->getLoadedDialect<SbpDialect>();
  return dialect ? dialect->getRegisteredInterface<KernelMemory>() : nullptr;
}

}  // namespace sbp
