// Parameters and optimiser state in a file, as whole tensors by name: a file
// that one placement wrote, any other reads.
//
// The file is a safetensors file. Its metadata says which tensors are optimiser
// state, so that a program which only infers can skip those and one that trains
// can start from a file without them, and what a run needs to go on where
// another one ended (RunRecord.h). What parameters were some steps before,
// which a run needs whose steps overlap, is skipped by others, and where it is
// missing they are taken for what they are now.

#ifndef RUNTIME_CHECKPOINT_CHECKPOINT_H_
#define RUNTIME_CHECKPOINT_CHECKPOINT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/checkpoint/RunRecord.h"
#include "runtime/checkpoint/TensorFiles.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"

namespace sbp::checkpoint {

/// Writes the plan's parameters to `path`: rank 0 writes, the others send it
/// their boxes. Every rank must call it. `local` are this rank's boxes, in the
/// order of the plan. Fails on rank 0 if the file cannot be written or a
/// parameter is not finite, elsewhere if the world aborts; what was at `path`
/// before is there then as it was.
absl::Status save(const std::string& path, const plan::Plan& plan,
                  const std::vector<std::byte*>& local, const RunRecord& record,
                  communication::Communicator& communicator);

/// Bytes that a file of the plan's parameters takes, its header aside.
int64_t dataBytes(const plan::Plan& plan);

/// Differences of a file from the program that loads it that are accepted.
struct LoadedAnyway {
  bool missing = false;  // parameters that the file lacks keep what they have
  bool extra = false;    // tensors that the program lacks are left out
};

/// A file to be loaded. Opened once: what it says of its run and its tensors
/// stay those of one file, though another may take its name meanwhile.
class Checkpoint {
 public:
  /// Fails, naming the file, where TensorFiles::open and readRunRecord do.
  static absl::StatusOr<Checkpoint> open(const std::string& path);

  const std::string& path() const { return filePath; }
  const RunRecord& record() const { return runRecord; }

  /// Where the file has optimiser state, and none that is the plan's: the name
  /// of some of it; else empty.
  std::string foreignState(const plan::Plan& plan) const;

  /// Reads this rank's boxes of the plan's parameters. Optimiser state is left
  /// as it is if the file has none. Numbers of other types become the plan's,
  /// as far as StoredType.h has them. Fails on a file that lacks a parameter or
  /// has another tensor that is no optimiser state, unless `anyway` allows it,
  /// and on one that has a shape other than the plan's, a type that cannot
  /// become the plan's, or an integer that is none there; then `local` may have
  /// changed.
  absl::Status load(const plan::Plan& plan, int64_t rank,
                    const std::vector<std::byte*>& local,
                    const LoadedAnyway& anyway = {}) const;

  /// Returns notes for people on how load() reads it.
  std::vector<std::string> notes(const plan::Plan& plan) const;

 private:
  Checkpoint(std::string path, TensorFiles files, RunRecord record)
      : filePath(std::move(path)),
        files(std::move(files)),
        runRecord(std::move(record)) {}

  std::string filePath;
  TensorFiles files;
  RunRecord runRecord;
};

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_CHECKPOINT_H_
