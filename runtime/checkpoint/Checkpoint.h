// Parameters and optimiser state in a file, as whole tensors by name: a file
// that one placement wrote, any other reads.
//
// The file is a safetensors file. Its metadata says how many steps the run had
// made and which tensors are optimiser state; so a program that only infers can
// skip those, and one that trains can start from a file without them.

#ifndef RUNTIME_CHECKPOINT_CHECKPOINT_H_
#define RUNTIME_CHECKPOINT_CHECKPOINT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"

namespace sbp::checkpoint {

/// Writes the plan's parameters to `path`: rank 0 writes, the others send it
/// their boxes. Every rank must call it. `local` are this rank's boxes, in the
/// order of the plan; `numSteps` is what load() will return. Fails on rank 0 if
/// the file cannot be written, elsewhere if the world aborts.
absl::Status save(const std::string& path, const plan::Plan& plan,
                  const std::vector<std::byte*>& local, int64_t numSteps,
                  communication::Communicator& communicator);

/// Reads this rank's boxes of the plan's parameters from `path` and returns the
/// number of steps that the file's run had made. Optimiser state is left as it
/// is if the file has none. Fails, without a change to `local`, on a file that
/// lacks a parameter, has another tensor that is no optimiser state, has a
/// shape or type other than the plan's, or a number of steps that is none.
absl::StatusOr<int64_t> load(const std::string& path, const plan::Plan& plan,
                             int64_t rank,
                             const std::vector<std::byte*>& local);

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_CHECKPOINT_H_
