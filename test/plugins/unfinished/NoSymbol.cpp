// A plug-in that needs a function that no tool has.

#include "codegen/plugin/Plugin.h"

namespace unfinished {
void absent(mlir::DialectRegistry* registry);
}  // namespace unfinished

SBP_DIALECT_PLUGIN("no_symbol", "1", unfinished::absent)
