// The runtime, which is embedded in the compiler.

#ifndef CODEGEN_DRIVER_RUNTIMEOBJECT_H_
#define CODEGEN_DRIVER_RUNTIMEOBJECT_H_

#include "llvm/ADT/StringRef.h"

extern "C" const char sbp_runtime_begin[], sbp_runtime_end[];

namespace sbp {

/// Returns the object file that is linked into every program: the runtime with
/// its `main`.
inline llvm::StringRef runtimeObject() {
  return {sbp_runtime_begin,
          static_cast<size_t>(sbp_runtime_end - sbp_runtime_begin)};
}

}  // namespace sbp

#endif  // CODEGEN_DRIVER_RUNTIMEOBJECT_H_
