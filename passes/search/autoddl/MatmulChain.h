// AutoDDL's own search space and cost model: a chain of matrix products, each
// split three ways (paper, sections 3.1, 4.2.2, 4.3).
//
// A product of I [rows, in] by W [in, out] on p = p0 p1 p2 devices:
//
//   I (S0: p0, B: p1, S1: p2)   W (B: p0, S1: p1, S0: p2)
//                                          -> O (S0: p0, S1: p1, P: p2)
//
// p0 is data parallelism, p1 splits the columns of W, p2 the rows. What is
// moved between two products, in the forward pass; n is what one device holds:
//
//   reduce-scatter  over p2 of |O| / (p0 p1): the output's sums are finished
//   all-to-all      of |O| / p, only if p0 and (p1 to p2') both change
//   all-gather      over p1' of |I| / (p0' p2'): the next input is spread
//
// The backward pass moves as much, gather and scatter exchanged. The gradients
// of weights are all-reduced over p0, |W| / (p1 p2) each. Volumes are elements
// per device; passes/cost/AlphaBeta.h has what a collective sends.
//
// The paper leaves open what the first input and the last output cost, and how
// many devices take part in an all-to-all; here these are part of the problem.

#ifndef PASSES_SEARCH_AUTODDL_MATMULCHAIN_H_
#define PASSES_SEARCH_AUTODDL_MATMULCHAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/cost/AlphaBeta.h"
#include "passes/search/Problem.h"

namespace sbp::search::autoddl {

/// How one product is split.
struct Strategy {
  int64_t p0 = 1;  // rows of the input: data parallel
  int64_t p1 = 1;  // columns of the weight
  int64_t p2 = 1;  // rows of the weight: the sum

  bool operator==(const Strategy& other) const {
    return p0 == other.p0 && p1 == other.p1 && p2 == other.p2;
  }
};

/// All ways to write `devices` as p0 p1 p2 with p0 <= maxReplication, ordered.
std::vector<Strategy> strategiesOf(int64_t devices, int64_t maxReplication);

/// What bringing the first product's input to its layout costs.
enum class FirstInput {
  Free,              // nothing
  Gather,            // a gather, in the forward pass only
  GatherAndScatter,  // a gather and, of its gradient, a scatter
  SplitRows,         // it comes from layers that are data parallel over all
                     // devices, with an exchange, and its gradient goes back
};

/// What is done with the last product's output.
enum class LastOutput {
  Split,   // its sums are finished, in both passes
  Gather,  // and all of it is gathered
};

enum class ExchangeGroup {
  AllDevices,  // an all-to-all is among all devices
  Smallest,    // or among as many as p0 changes by
};

struct Product {
  int64_t in = 1, out = 1;
};

struct MatmulChain {
  std::vector<Product> products;
  int64_t rows = 1;  // the batch, or tokens
  int64_t devices = 1;
  int64_t maxReplication = 1;  // the largest p0 that memory allows
  FirstInput firstInput = FirstInput::Gather;
  LastOutput lastOutput = LastOutput::Split;
  ExchangeGroup exchangeGroup = ExchangeGroup::AllDevices;
  bool hasBackward = true;
  bool synchronisesWeights = true;

  /// What is moved for product `index` alone: the gradients of its weight, and
  /// at the ends of the chain its input or output.
  Traffic own(size_t index, Strategy strategy) const;
  /// What is moved between product `index` and the next, in all passes.
  Traffic between(size_t index, Strategy strategy, Strategy next) const;
  /// Of the whole chain.
  Traffic traffic(const std::vector<Strategy>& plan) const;

  /// How a product may be split: the states of its variable.
  std::vector<Strategy> strategies() const {
    return strategiesOf(devices, maxReplication);
  }
  /// How many plans there are; a double, as they soon are more than 2^64.
  double numPlans() const;

  /// The search problem: a variable per product, costs in seconds; `link`'s
  /// beta is per element. What costs more than `most` is not allowed. If that
  /// is what some plan costs, no cheaper plan is lost, and ticks are as fine as
  /// sums of cheap plans are precise, however dear others are.
  Problem problem(const Link& link, Cost most = kInfiniteCost) const;
  /// What an assignment of that problem means.
  std::vector<Strategy> planOf(const Assignment& assignment) const;

 private:
  double passes() const { return hasBackward ? 2 : 1; }
  Traffic gatherInput(size_t index, Strategy strategy) const;
  Traffic scatterOutput(size_t index, Strategy strategy) const;
  Traffic exchange(double elements, int64_t p0, int64_t nextP0) const;
};

}  // namespace sbp::search::autoddl

#endif  // PASSES_SEARCH_AUTODDL_MATMULCHAIN_H_
