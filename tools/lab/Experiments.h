// Experiments of the AutoDDL paper. Each is a function from settings to results
// in JSON.

#ifndef TOOLS_LAB_EXPERIMENTS_H_
#define TOOLS_LAB_EXPERIMENTS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "tools/lab/ChainPlan.h"
#include "tools/lab/Solve.h"
#include "tools/lab/autoddl/MatmulChain.h"

namespace sbp::search::lab {

using Json = nlohmann::ordered_json;

/// A chain of dense layers: the MLP of figure 8, or the last layers of VGG13 of
/// figure 7.
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

/// The plan that a solver finds, its traffic, and its cost in seconds without
/// the solver's rounding.
struct DensePlan {
  ChainPlan found;
  Traffic traffic;
  double seconds = 0;
};

DensePlan solve(const DenseLayers& layers, const SolverOptions& options);

/// Returns the best plan, and the costs of named strategies.
Json dense(const DenseLayers& layers);

/// Runs figure 8: for each heuristic, the ratio of its best cost to the optimum
/// after 1, 2, 4, ... evaluations, up to `evaluations`. Each ratio is the mean
/// of `runs` runs.
Json figure8(const DenseLayers& layers, int64_t runs, int64_t evaluations);

/// The transformer of section 5.2.3: four products per block.
struct Transformer {
  int64_t nodes = 128;
  int64_t layers = 20;
  int64_t hidden = 8192;
  int64_t sequences = 1024;
  int64_t length = 1024;
  double memoryBytes = 16e9;
  /// Gradient accumulation. SUMMA moves weights once per micro-batch.
  int64_t microBatches = 16;
  SolverOptions solver;

  /// Returns the products of all blocks; maxReplication is the number of copies
  /// of weights that fit into memory.
  autoddl::MatmulChain chain() const;
};

/// Returns the traffic of AutoDDL's best plan, data parallelism, the best
/// Megatron grid and the best SUMMA grid.
Json transformer(const Transformer& model);

/// Figure 3: the forward pass of one attention layer.
struct Attention {
  int64_t nodes = 64;
  int64_t hidden = 8192;
  int64_t tokens = 1 << 20;
  int64_t maxReplication = 4;
  int64_t elementBytes = 4;
  SolverOptions solver;

  /// Returns two products: queries, keys and values as one, and the output
  /// projection.
  autoddl::MatmulChain chain() const;
};

Json attention(const Attention& layer);

/// Returns `cost` / `other`; 1 if they are equal up to rounding, also if both
/// are 0.
double ratioOf(double cost, double other);

/// Returns the number of plans: as an integer if it is below 2^53, otherwise as
/// a double.
Json numPlansOf(const autoddl::MatmulChain& chain);

/// Returns [p0, p1, p2] of each product.
Json toJson(const std::vector<autoddl::Strategy>& plan);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_EXPERIMENTS_H_
