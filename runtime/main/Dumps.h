// Files of outputs and parameters (--dump).
//
// If an output has a value for each of several batches, the file contains one
// tensor: the values, concatenated along the first dimension. Scalars become a
// vector.

#ifndef RUNTIME_MAIN_DUMPS_H_
#define RUNTIME_MAIN_DUMPS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/data/Feed.h"
#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"
#include "runtime/tensor/HostTensor.h"

namespace sbp::program {

/// The tensors to be dumped, and the outputs collected so far.
class Dumps {
 public:
  /// Finds the tensors that `wanted` names. A name is that of an output of
  /// entry `entry` (an index into Plan::entries), or else that of a parameter.
  /// Fails on any other name; the error lists the known names. The plan must
  /// outlive this object.
  static absl::StatusOr<Dumps> find(const std::vector<data::NamedPath>& wanted,
                                    const plan::Plan& plan, size_t entry);

  /// Fails if one of the files cannot be written.
  absl::Status checkWritable() const;

  bool isEmpty() const { return items.empty(); }

  /// Gathers on rank 0 the outputs of the latest batch that are to be dumped.
  /// Every rank must call it.
  absl::Status collect(const execute::Executor& executor,
                       communication::Communicator& communicator);

  /// Writes the files on rank 0, with the current values of the parameters.
  /// Every rank must call it once; if an output is to be dumped, only after
  /// collect(). Fails if the world aborts, and on rank 0 if a file could not be
  /// written.
  absl::Status write(const execute::Executor& executor,
                     communication::Communicator& communicator);

 private:
  /// A tensor to dump, and its file.
  struct Item {
    std::string path;
    const plan::Tensor* tensor = nullptr;
    bool isOutput = false;
    size_t index = 0;  // into Entry::outputs or Plan::parameters
    std::vector<tensor::HostTensor> batches;  // on rank 0
  };

  explicit Dumps(const plan::Plan& plan) : plan(&plan) {}

  const plan::Plan* plan;
  std::vector<Item> items;
};

/// Concatenates `batches` along the first dimension. There must be at least
/// one, and all must have the same type and shape. Scalars become a vector; a
/// single batch is returned unchanged.
tensor::HostTensor concatenate(std::vector<tensor::HostTensor> batches);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_DUMPS_H_
