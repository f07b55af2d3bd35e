// The mamba dialect, and the declaration that makes the shared library a
// plug-in.

#include "Mamba.h"

#include "codegen/plugin/Plugin.h"
#include "dialects/support/AttributeText.h"

// Generated from Mamba.td.
#include "Mamba.cpp.inc"

#define GET_OP_CLASSES
#include "MambaOps.cpp.inc"

namespace sbp::mamba {

void MambaDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "MambaOps.cpp.inc"
      >();
}

}  // namespace sbp::mamba

SBP_DIALECT_PLUGIN("mamba", "1", [](mlir::DialectRegistry* registry) {
  registry->insert<sbp::mamba::MambaDialect>();
})
