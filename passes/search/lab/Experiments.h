// The experiments of the AutoDDL paper, each as a function from its settings to
// its results as JSON.

#ifndef PASSES_SEARCH_LAB_EXPERIMENTS_H_
#define PASSES_SEARCH_LAB_EXPERIMENTS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "passes/search/autoddl/MatmulChain.h"
#include "passes/search/lab/ChainPlan.h"
#include "passes/search/lab/Solve.h"

namespace sbp::search::lab {

using Json = nlohmann::ordered_json;

/// Dense layers of any sizes: the MLP of figure 8, and the last layers of VGG13
/// of figure 7.
struct DenseLayers {
  std::vector<int64_t> extents;  // of the input, and of each layer's output
  int64_t nodes = 1;
  int64_t batch = 1;
  double alphaSeconds = 0;
  double betaSecondsPerByte = 1e-10;
  int64_t elementBytes = 4;
  autoddl::FirstInput firstInput = autoddl::FirstInput::Gather;
  autoddl::LastOutput lastOutput = autoddl::LastOutput::Split;
  autoddl::ExchangeGroup exchangeGroup = autoddl::ExchangeGroup::AllDevices;
  SolverOptions solver;

  autoddl::MatmulChain chain() const;
  Link link() const;
};

/// The plan that a solver finds, and what it costs: in seconds as in all
/// reports, whatever the solver counts in.
struct DensePlan {
  ChainPlan found;
  Traffic traffic;
  double seconds = 0;
};

DensePlan solve(const DenseLayers& layers, const SolverOptions& options);

/// The best plan, and what named strategies cost.
Json dense(const DenseLayers& layers);

/// Figure 8: how close to the optimum each heuristic is after how many
/// evaluations, over several runs.
Json figure8(const DenseLayers& layers, int64_t runs, int64_t evaluations);

/// The transformer of section 5.2.3: four products per block.
struct Transformer {
  int64_t nodes = 128;
  int64_t layers = 20;
  int64_t hidden = 8192;
  int64_t sequences = 1024;
  int64_t length = 1024;
  double memoryBytes = 16e9;
  /// Gradient accumulation: weights that are not kept whole move per part.
  int64_t microBatches = 16;
  SolverOptions solver;

  /// The products of all blocks, with as many copies of weights as fit.
  autoddl::MatmulChain chain() const;
};

/// What AutoDDL's best plan, data parallelism, the best Megatron grid and the
/// best SUMMA grid move.
Json transformer(const Transformer& model);

/// Figure 3: the forward pass of one attention layer.
struct Attention {
  int64_t nodes = 64;
  int64_t hidden = 8192;
  int64_t tokens = 1 << 20;
  int64_t maxReplication = 4;
  int64_t elementBytes = 4;
  SolverOptions solver;

  /// Queries, keys and values as one product, and what attention gives.
  autoddl::MatmulChain chain() const;
};

Json attention(const Attention& layer);

/// `cost` by `other`; 1 if they are equal but for rounding, zero too.
double ratioOf(double cost, double other);

/// How many plans there are: a whole number where a double is exact.
Json numPlansOf(const autoddl::MatmulChain& chain);

/// [p0, p1, p2] of each product.
Json toJson(const std::vector<autoddl::Strategy>& plan);

}  // namespace sbp::search::lab

#endif  // PASSES_SEARCH_LAB_EXPERIMENTS_H_
