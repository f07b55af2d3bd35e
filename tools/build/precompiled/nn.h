// The headers that most sources with the nn dialect include. They are
// precompiled.
#ifndef TOOLS_BUILD_PRECOMPILED_NN_H_
#define TOOLS_BUILD_PRECOMPILED_NN_H_

#include "dialects/nn/Nn.h"
#include "tools/build/precompiled/mlir.h"

#endif  // TOOLS_BUILD_PRECOMPILED_NN_H_
