// The headers that most tests without MLIR include. They are precompiled.
#ifndef TOOLS_BUILD_PRECOMPILED_TEST_H_
#define TOOLS_BUILD_PRECOMPILED_TEST_H_

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/build/precompiled/standard.h"

#endif  // TOOLS_BUILD_PRECOMPILED_TEST_H_
