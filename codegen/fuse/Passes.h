// The pass sbp-fuse-elementwise.

#ifndef CODEGEN_FUSE_PASSES_H_
#define CODEGEN_FUSE_PASSES_H_

#include <memory>

#include "mlir/Pass/Pass.h"

namespace sbp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/fuse/Passes.h.inc"

}  // namespace sbp

#endif  // CODEGEN_FUSE_PASSES_H_
