// Outputs and parameters that the user wants as files.
//
// An output of several batches becomes one tensor: the batches one after
// another along the first dimension; scalars become a vector.

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

class Dumps {
 public:
  /// Finds what `wanted` names among the outputs of entry `entry`, else among
  /// the parameters. Fails, listing what there is, on any other name. The plan
  /// must outlive this.
  static absl::StatusOr<Dumps> find(const std::vector<data::NamedPath>& wanted,
                                    const plan::Plan& plan, size_t entry);

  /// OK if every file can be written now.
  absl::Status checkWritable() const;

  bool isEmpty() const { return items.empty(); }

  /// Adds the outputs of the batch that has just run; every rank must call it.
  absl::Status collect(const execute::Executor& executor,
                       communication::Communicator& communicator);

  /// Writes the files, on rank 0; every rank must call it.
  absl::Status write(const execute::Executor& executor,
                     communication::Communicator& communicator);

 private:
  struct Item {
    std::string path;
    const plan::Tensor* tensor = nullptr;
    bool isOutput = false;
    size_t index = 0;  // among the outputs, or the parameters
    std::vector<tensor::HostTensor> batches;  // collected, on rank 0
  };

  explicit Dumps(const plan::Plan& plan) : plan(&plan) {}

  const plan::Plan* plan;
  std::vector<Item> items;
};

/// `batches` one after another along the first dimension; there is at least
/// one, and all have one type and shape. Scalars become a vector, a single
/// batch stays as it is.
tensor::HostTensor concatenate(std::vector<tensor::HostTensor> batches);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_DUMPS_H_
