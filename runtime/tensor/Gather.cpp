#include "runtime/tensor/Gather.h"

#include <cstring>

#include "runtime/communication/Reduction.h"
#include "runtime/plan/Box.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Rows.h"

namespace sbp::tensor {
namespace {

using plan::Component;

/// Says whether a rank has the first term of its box, and by which reduction
/// the terms are combined.
struct Term {
  bool isFirst = true;
  plan::ReductionKind reduction = plan::ReductionKind::kSum;
};

Term termOf(const plan::Group& group, const plan::Tensor& tensor,
            int64_t rank) {
  Term term;
  const std::vector<int64_t> coordinates = plan::coordinatesOf(group, rank);
  for (size_t axis = 0; axis < coordinates.size(); ++axis) {
    if (tensor.placement[axis].kind != Component::Kind::kPartial) continue;
    term.reduction = tensor.placement[axis].reduction;
    if (coordinates[axis] != 0) term.isFirst = false;
  }
  return term;
}

/// Reduces the dense tensor `part` into `box` of `whole`.
void reduceIntoBox(const std::byte* part, const plan::Box& box,
                   plan::ReductionKind reduction, HostTensor& whole) {
  const int64_t width = plan::byteWidth(whole.elementType);
  std::vector<std::byte> sum;
  forEachRow(whole.shape, box, [&](int64_t to, int64_t from, int64_t count) {
    sum.resize(count * width);
    std::byte* row = whole.data.data() + to * width;
    const std::byte* const terms[] = {row, part + from * width};
    communication::reduceRow(whole.elementType, reduction, terms, 2,
                             count * width, sum.data());
    std::memcpy(row, sum.data(), sum.size());
  });
}

}  // namespace

absl::StatusOr<HostTensor> gather(communication::Communicator& communicator,
                                  const plan::Group& group,
                                  const plan::Tensor& tensor,
                                  const device::LocalTensor& local) {
  const int64_t me = communicator.rank();
  if (me != 0) {
    if (plan::isPrincipal(group, tensor, me))
      SBP_RETURN_IF_ERROR(local.read([&](const std::byte* part) {
        return communicator.send(0, part, local.bytes());
      }));
    return HostTensor();
  }
  HostTensor whole = HostTensor::zeros(tensor.elementType, tensor.shape);
  std::vector<std::byte> received;
  // The members come in the order of their positions in the group, so the first
  // term of a box comes before its other terms.
  for (int64_t place = 0; place < group.size(); ++place) {
    const int64_t rank = group.rankAt(place);
    if (!plan::isPrincipal(group, tensor, rank)) continue;
    const auto add = [&](const std::byte* part) {
      const plan::Box box = plan::localBox(group, tensor, rank);
      const Term term = termOf(group, tensor, rank);
      if (term.isFirst) {
        putBox(part, box, plan::byteWidth(tensor.elementType), whole.shape,
               whole.data.data());
      } else {
        reduceIntoBox(part, box, term.reduction, whole);
      }
      return absl::OkStatus();
    };
    if (rank == me) {
      SBP_RETURN_IF_ERROR(local.read(add));
      continue;
    }
    received.resize(plan::localBytes(group, tensor, rank));
    SBP_RETURN_IF_ERROR(
        communicator.receive(rank, received.data(), received.size()));
    SBP_RETURN_IF_ERROR(add(received.data()));
  }
  return whole;
}

}  // namespace sbp::tensor
