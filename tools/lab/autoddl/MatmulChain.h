// AutoDDL's search space and cost model: a chain of matrix products, each of
// which is split in three ways (Chen et al., AutoDDL, sections 3.1, 4.2.2,
// 4.3).
//
// A product of I [rows, in] by W [in, out] on p = p0 p1 p2 devices:
//
//   I (S0: p0, B: p1, S1: p2)   W (B: p0, S1: p1, S0: p2)
//                                          -> O (S0: p0, S1: p1, P: p2)
//
// p0 is the degree of data parallelism, p1 splits the columns of W, p2 its
// rows. Between a product and the next one, which is split by (p0', p1', p2'),
// the forward pass runs these collectives. A size is the number of elements
// that one device holds, for a gather afterwards and otherwise before.
//
//   reduce-scatter  over p2 of |O| / (p0 p1): reduces the output
//   all-to-all      of |O| / p, only if p0 != p0' and p1 != p2'
//   all-gather      over p1' of |I| / (p0' p2'): gathers the next input
//
// The backward pass moves as much, with gather and scatter exchanged. The
// gradient of a weight, |W| / (p1 p2) per device, is all-reduced over p0.
// Volumes are elements sent per device; passes/cost/AlphaBeta.h has the volume
// of each collective.
//
// The paper does not say what the first input and the last output cost, nor how
// many devices take part in an all-to-all. Here these are settings of the
// problem.

#ifndef TOOLS_LAB_AUTODDL_MATMULCHAIN_H_
#define TOOLS_LAB_AUTODDL_MATMULCHAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/cost/AlphaBeta.h"
#include "passes/search/problem/Problem.h"

namespace sbp::search::autoddl {

/// Degrees by which one product is split.
struct Strategy {
  int64_t p0 = 1;  // rows of the input: data parallel
  int64_t p1 = 1;  // columns of the weight
  int64_t p2 = 1;  // rows of the weight: the sum

  bool operator==(const Strategy& other) const {
    return p0 == other.p0 && p1 == other.p1 && p2 == other.p2;
  }
};

/// Returns all factorisations of `devices` into p0 p1 p2 with p0 <=
/// maxReplication, in ascending order.
std::vector<Strategy> strategiesOf(int64_t devices, int64_t maxReplication);

/// Cost of bringing the input of the first product to its placement.
enum class FirstInput {
  Free,              // nothing
  Gather,            // a gather in the forward pass
  GatherAndScatter,  // also a scatter of the gradient
  // In both passes: an all-to-all, as if a product with p0 = devices had made
  // the input, and a gather.
  SplitRows,
};

/// Cost of the output of the last product.
enum class LastOutput {
  Split,   // a reduce-scatter; a gather in the backward pass
  Gather,  // as Split, and a gather over all devices in the forward pass
};

/// Devices that take part in an all-to-all.
enum class ExchangeGroup {
  AllDevices,  // all devices
  // max(p0, p0') / min(p0, p0') devices if this is an integer, otherwise all.
  Smallest,
};

/// A product, by the extents of its weight.
struct Product {
  int64_t in = 1, out = 1;
};

/// A chain of products, and the settings of its cost model.
struct MatmulChain {
  std::vector<Product> products;
  int64_t rows = 1;  // the batch, or tokens
  int64_t devices = 1;
  int64_t maxReplication = 1;  // largest p0 that memory allows
  FirstInput firstInput = FirstInput::Gather;
  LastOutput lastOutput = LastOutput::Split;
  ExchangeGroup exchangeGroup = ExchangeGroup::AllDevices;
  bool hasBackward = true;
  bool synchronisesWeights = true;

  /// Returns the traffic of product `index` alone: that of the gradient of its
  /// weight; for the first product, also that of the chain's input; for the
  /// last one, that of its output.
  Traffic own(size_t index, Strategy strategy) const;
  /// Returns the traffic between product `index` and the next, in all passes.
  Traffic between(size_t index, Strategy strategy, Strategy next) const;
  /// Returns the traffic of the whole chain.
  Traffic traffic(const std::vector<Strategy>& plan) const;

  /// Returns the splits of a product: the states of its variable.
  std::vector<Strategy> strategies() const {
    return strategiesOf(devices, maxReplication);
  }
  /// Returns the number of plans, as a double because it soon exceeds 2^64.
  double numPlans() const;

  /// Returns the search problem: a variable per product, costs in seconds. The
  /// beta of `link` is per element. Costs above `most` are forbidden. If `most`
  /// is the cost of some plan, all cheaper plans stay allowed, and the dearest
  /// plans do not make the ticks (Problem::roundToTicks) coarse.
  Problem problem(const Link& link, Cost most = kInfiniteCost) const;
  /// Returns the plan of an assignment of this problem.
  std::vector<Strategy> planOf(const Assignment& assignment) const;

 private:
  double passes() const { return hasBackward ? 2 : 1; }
  Traffic gatherInput(size_t index, Strategy strategy) const;
  Traffic scatterOutput(size_t index, Strategy strategy) const;
  Traffic exchange(double elements, int64_t p0, int64_t nextP0) const;
};

}  // namespace sbp::search::autoddl

#endif  // TOOLS_LAB_AUTODDL_MATMULCHAIN_H_
