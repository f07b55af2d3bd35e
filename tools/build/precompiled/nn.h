#include "tools/build/precompiled/mlir.h"
#include "dialects/nn/Nn.h"
