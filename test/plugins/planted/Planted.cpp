// A plug-in whose ops break their promises: `sbpc check-ops` finds each.

#include "test/plugins/planted/Planted.h"

#include "codegen/plugin/Plugin.h"

// Generated from Planted.td.
#include "test/plugins/planted/Planted.cpp.inc"
#include "test/plugins/planted/PlantedEnums.cpp.inc"

#define GET_OP_CLASSES
#include "test/plugins/planted/PlantedOps.cpp.inc"

namespace sbp::planted {

void PlantedDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "test/plugins/planted/PlantedOps.cpp.inc"
      >();
}

}  // namespace sbp::planted

SBP_DIALECT_PLUGIN("planted", "1", [](mlir::DialectRegistry* registry) {
  registry->insert<sbp::planted::PlantedDialect>();
})
