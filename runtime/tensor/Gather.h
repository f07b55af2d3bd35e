// A whole tensor from what the ranks hold of it.
//
// Rank 0 takes one copy of each box: of ranks that hold equal copies, the one
// with coordinate 0 sends. Where the tensor is partial the boxes are terms,
// which are combined in the order of places.

#ifndef RUNTIME_TENSOR_GATHER_H_
#define RUNTIME_TENSOR_GATHER_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"
#include "runtime/tensor/HostTensor.h"

namespace sbp::tensor {

/// The whole of `tensor`, which lies on `group`, on rank 0, be that of the
/// group or not, an empty tensor on the others; every rank must call it.
/// `local` is this rank's box, dense. Fails if the world aborts.
absl::StatusOr<HostTensor> gather(communication::Communicator& communicator,
                                  const plan::Group& group,
                                  const plan::Tensor& tensor,
                                  const std::byte* local);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_GATHER_H_
