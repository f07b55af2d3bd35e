// Gathering of a whole tensor on rank 0.
//
// Rank 0 receives each box once: among ranks that hold equal copies, the one
// with coordinate 0 sends. Where the tensor is partial, the boxes are terms,
// which are reduced in the order of positions in the group.

#ifndef RUNTIME_TENSOR_GATHER_H_
#define RUNTIME_TENSOR_GATHER_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"
#include "runtime/tensor/HostTensor.h"

namespace sbp::tensor {

/// Returns the whole of `tensor`, which lies on `group`, on rank 0, and an
/// empty tensor on other ranks. Rank 0 need not belong to the group. Every rank
/// must call it. `local` is this rank's box, dense; it is not used outside the
/// group. Fails if the world aborts.
absl::StatusOr<HostTensor> gather(communication::Communicator& communicator,
                                  const plan::Group& group,
                                  const plan::Tensor& tensor,
                                  const std::byte* local);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_GATHER_H_
