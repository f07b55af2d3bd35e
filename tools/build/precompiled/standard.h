// The headers that most sources include. They are precompiled.
#ifndef TOOLS_BUILD_PRECOMPILED_STANDARD_H_
#define TOOLS_BUILD_PRECOMPILED_STANDARD_H_

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"

#endif  // TOOLS_BUILD_PRECOMPILED_STANDARD_H_
