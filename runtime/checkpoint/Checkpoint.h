// Checkpoints: parameters and optimiser state in a file, as whole tensors by
// name. A file written under one placement can be read under any other.
//
// The file is a safetensors file. Its metadata contains
//
// - the names of the tensors that are optimiser state, so that a program that
//   only infers skips them, and a program that trains can start from a file
//   without them;
// - the names of copies of parameters from earlier steps, which only runs with
//   overlapping steps need. Other runs skip these copies. If a run needs a copy
//   that the file lacks, it uses the parameter's current value;
// - a record of the run (RunRecord.h), so that another run can continue it.

#ifndef RUNTIME_CHECKPOINT_CHECKPOINT_H_
#define RUNTIME_CHECKPOINT_CHECKPOINT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/checkpoint/RunRecord.h"
#include "runtime/checkpoint/TensorFiles.h"
#include "runtime/communication/Communicator.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/plan/Plan.h"

namespace sbp::checkpoint {

/// Writes the plan's parameters to `path`. Every rank must call it: the ranks
/// send their boxes to rank 0, which writes the file. `local[i]` is this rank's
/// part of Plan::parameters[i]. Fails on all ranks if the world aborts, and on
/// rank 0 alone if the file cannot be written or a parameter has a number that
/// is not finite. If it fails, the file that was at `path` before is unchanged.
absl::Status save(const std::string& path, const plan::Plan& plan,
                  const std::vector<device::LocalTensor>& local,
                  const RunRecord& record,
                  communication::Communicator& communicator);

/// Returns the size in bytes of a file of the plan's parameters, without its
/// header.
int64_t dataBytes(const plan::Plan& plan);

/// Differences between a file and the program that are accepted when loading.
struct AcceptedDifferences {
  // Parameters and optimiser state that the file lacks keep their values.
  bool missing = false;
  bool extra = false;  // tensors that the program lacks are ignored
};

/// An open checkpoint. The file is opened only once. So the run record and the
/// tensors come from the same file, even if another file is renamed to its path
/// meanwhile.
class Checkpoint {
 public:
  /// Opens a file. Fails if TensorFiles::open or readRunRecord fails; the error
  /// names the file.
  static absl::StatusOr<Checkpoint> open(const std::string& path);

  const std::string& path() const { return filePath; }
  const RunRecord& record() const { return runRecord; }

  /// Finds out whether the file's optimiser state is that of another optimiser.
  /// If the file has optimiser state, and the plan has none of the tensors of
  /// this state, returns the name of one of them. Otherwise returns an empty
  /// string.
  std::string foreignState(const plan::Plan& plan) const;

  /// Reads this rank's boxes of the plan's parameters into `local`, and
  /// converts numbers to the plan's types (StoredType.h). `local` is as for
  /// save(). If the file has none of the plan's optimiser state, the whole
  /// state keeps its values. If the file lacks a parameter's copy from an
  /// earlier step, the copy gets the parameter's current value. Fails
  ///
  /// - if the file lacks a weight, or some but not all optimiser state of the
  ///   plan, unless `accepted.missing`;
  /// - if the file has a tensor that the plan lacks, and does not list it as
  ///   optimiser state or as a copy from an earlier step, unless
  ///   `accepted.extra`;
  /// - if a shape differs, a type cannot be converted, or an integer does not
  ///   fit the plan's type;
  /// - if the file has become shorter or could not be read.
  ///
  /// If it fails, `local` may have changed.
  absl::Status load(const plan::Plan& plan, int64_t rank,
                    const std::vector<device::LocalTensor>& local,
                    const AcceptedDifferences& accepted = {}) const;

  /// Returns messages for users about converted types, and about tensors that
  /// the file or the plan lacks.
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
