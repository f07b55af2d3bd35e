// Is this a CPU on which the program can run?

#ifndef RUNTIME_MAIN_PROCESSORCHECK_H_
#define RUNTIME_MAIN_PROCESSORCHECK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "runtime/cpu/Features.h"

namespace sbp::program {

/// Fails, on behalf of rank `rank`, if the CPU of this process lacks what
/// kernels for `processor` need: they would end it without a word.
absl::Status checkProcessor(const cpu::Processor& processor, int64_t rank);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_PROCESSORCHECK_H_
