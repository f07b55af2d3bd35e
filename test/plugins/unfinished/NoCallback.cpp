// A plug-in whose callback is null.

#include "codegen/plugin/Plugin.h"

SBP_DIALECT_PLUGIN("no_callback", "1", nullptr)
