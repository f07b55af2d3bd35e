// Check that this CPU can run the program.

#ifndef RUNTIME_MAIN_PROCESSORCHECK_H_
#define RUNTIME_MAIN_PROCESSORCHECK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "runtime/cpu/Features.h"

namespace sbp::program {

/// Fails if the CPU of this process lacks features that kernels for `processor`
/// may use. Without this check, an illegal instruction would end the process
/// without a message. The error names rank `rank`.
absl::Status checkProcessor(const cpu::Processor& processor, int64_t rank);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_PROCESSORCHECK_H_
