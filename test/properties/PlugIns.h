// The plug-ins of the project, for programs with ops that communicate
// themselves.

#ifndef TEST_PROPERTIES_PLUGINS_H_
#define TEST_PROPERTIES_PLUGINS_H_

#include "mlir/IR/DialectRegistry.h"

namespace sbp::properties {

/// Loads the plug-ins halo and summa, which are data of the test. Ends the
/// process if one cannot be loaded.
void registerPlugIns(mlir::DialectRegistry& registry);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_PLUGINS_H_
