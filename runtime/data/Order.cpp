#include "runtime/data/Order.h"

#include "runtime/random/Permutation.h"

namespace sbp::data {

EpochSample Order::operator()(int64_t position) const {
  const EpochSample inOrder = {position / numSamples, position % numSamples};
  if (kind == Kind::kSequential) return inOrder;
  const random::Permutation permutation(numSamples, seed,
                                        uint64_t(inOrder.epoch));
  return {inOrder.epoch, permutation(inOrder.sample)};
}

}  // namespace sbp::data
