// Gathering of a whole tensor on rank 0.
//
// Rank 0 receives each box (plan/Box.h) once: of the ranks that hold equal
// copies of a box, only the principal rank (plan::isPrincipal) sends it. If the
// tensor is partial, the boxes are terms, which rank 0 reduces in the order of
// the ranks' positions in the group.

#ifndef RUNTIME_TENSOR_GATHER_H_
#define RUNTIME_TENSOR_GATHER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/plan/Plan.h"
#include "runtime/tensor/HostTensor.h"

namespace sbp::tensor {

/// Gathers `tensor`, which lies on `group`. Returns the whole tensor on rank 0,
/// even if rank 0 does not belong to the group, and a tensor without data on
/// other ranks. Every rank must call it. `local` is this rank's part; it may be
/// empty if the rank is not in the group. Fails if the world aborts or a device
/// fails.
absl::StatusOr<HostTensor> gather(communication::Communicator& communicator,
                                  const plan::Group& group,
                                  const plan::Tensor& tensor,
                                  const device::LocalTensor& local);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_GATHER_H_
