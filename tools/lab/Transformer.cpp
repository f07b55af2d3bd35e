#include <algorithm>
#include <utility>

#include "tools/lab/Experiments.h"
#include "tools/lab/autoddl/NamedPlans.h"

namespace sbp::search::lab {
namespace {

using autoddl::MatmulChain;
using autoddl::Strategy;

/// Bytes in f32 of a weight, its gradient, and Adam's two moments.
constexpr double kBytesPerWeight = 16;

/// Link by which a plan costs its volume.
constexpr Link kVolume{/*alpha=*/0, /*beta=*/1};

/// Returns the products of a block with hidden size d: queries, keys and
/// values; the output projection of attention; and the two feed-forward
/// products.
std::vector<autoddl::Product> blockProducts(int64_t d) {
  return {{d, 3 * d}, {d, d}, {d, 4 * d}, {4 * d, d}};
}

double weightsOf(const std::vector<autoddl::Product>& products) {
  double weights = 0;
  for (const autoddl::Product& p : products)
    weights += static_cast<double>(p.in) * static_cast<double>(p.out);
  return weights;
}

/// Adds to `json` how the plan was found.
void addSearch(Json& json, const MatmulChain& chain, const ChainPlan& found) {
  json["strategies"] = numPlansOf(chain);
  json["search_seconds"] = found.searchSeconds;
  json["proven"] = found.isProven;
}

/// Returns the bytes of weights and their state per device, if each weight is
/// kept `copies` times.
double weightBytes(const MatmulChain& chain, int64_t copies) {
  return kBytesPerWeight * weightsOf(chain.products) *
         static_cast<double>(copies) / static_cast<double>(chain.devices);
}

class TransformerTraffic {
 public:
  explicit TransformerTraffic(const Transformer& model)
      : model_(model), chain_(model.chain()) {}

  Json report() const {
    ChainPlan found = planFor(chain_, kVolume, model_.solver);
    Json autoddl = ofPlan(found.strategies);
    addSearch(autoddl, chain_, found);
    return {
        {"max_replication", chain_.maxReplication},
        {"unit_elements", unit()},
        {"autoddl", std::move(autoddl)},
        {"data parallel", ofPlan(autoddl::megatronPlan(chain_, model_.nodes))},
        {"best Megatron grid",
         ofPlan(autoddl::bestMegatronPlan(chain_, kVolume))},
        {"best SUMMA grid", bestSumma()}};
  }

 private:
  /// Returns tokens times hidden size, per device.
  double unit() const {
    return static_cast<double>(chain_.rows) *
           static_cast<double>(model_.hidden) /
           static_cast<double>(model_.nodes);
  }

  Json volumes(double activations, double weights, double bytes) const {
    double perBlock = unit() * static_cast<double>(model_.layers);
    return {{"elements", activations + weights},
            {"activation_elements", activations},
            {"weight_elements", weights},
            {"activation_units_per_block", activations / perBlock},
            {"weight_units_per_block", weights / perBlock},
            {"weight_bytes", bytes},
            {"fits", bytes <= model_.memoryBytes}};
  }

  Json ofPlan(const std::vector<Strategy>& plan) const {
    MatmulChain activationsOnly = chain_;
    activationsOnly.synchronisesWeights = false;
    double activations = activationsOnly.traffic(plan).volume;
    double all = chain_.traffic(plan).volume;
    double bytes = 0;
    for (size_t i = 0; i < plan.size(); ++i)
      bytes += kBytesPerWeight * weightsOf({chain_.products[i]}) /
               static_cast<double>(plan[i].p1 * plan[i].p2);
    Json json = volumes(activations, all - activations, bytes);
    bool repeats = true;
    for (size_t i = 4; i < plan.size(); ++i) repeats &= plan[i] == plan[i - 4];
    json["plan"] = toJson(
        repeats ? std::vector<Strategy>(plan.begin(), plan.begin() + 4) : plan);
    json["all_blocks_alike"] = repeats;
    return json;
  }

  /// Returns the best SUMMA grid. On r by c devices SUMMA keeps every matrix in
  /// r by c tiles. A product I W broadcasts I within the rows of devices, and W
  /// within the columns. The two products of the backward pass move as much (a
  /// broadcast or a reduction of one operand each way). So each moves three
  /// times in all; weights do so for every micro-batch.
  Json bestSumma() const {
    Json best;
    for (int64_t r = 1; r <= model_.nodes; ++r) {
      if (model_.nodes % r != 0) continue;
      auto rows = static_cast<double>(r);
      auto columns = static_cast<double>(model_.nodes / r);
      double inputs = 0;
      for (const autoddl::Product& p : chain_.products)
        inputs += static_cast<double>(chain_.rows) * static_cast<double>(p.in);
      double activations = 3 * inputs / rows * (columns - 1) / columns;
      double weights = 3 * static_cast<double>(model_.microBatches) *
                       weightsOf(chain_.products) / columns * (rows - 1) / rows;
      Json json = volumes(activations, weights, weightBytes(chain_, 1));
      json["grid"] = {r, model_.nodes / r};
      if (best.is_null() ||
          json["elements"].get<double>() < best["elements"].get<double>())
        best = json;
    }
    return best;
  }

  const Transformer& model_;
  MatmulChain chain_;
};

}  // namespace

MatmulChain Transformer::chain() const {
  MatmulChain chain;
  for (int64_t layer = 0; layer < layers; ++layer)
    for (autoddl::Product product : blockProducts(hidden))
      chain.products.push_back(product);
  chain.rows = sequences * length;
  chain.devices = nodes;
  // The first block is like any other: its input moves, and so does the
  // gradient of it.
  chain.firstInput = autoddl::FirstInput::GatherAndScatter;
  chain.maxReplication = 1;
  for (int64_t p0 = 1; p0 <= nodes; ++p0)
    if (nodes % p0 == 0 && weightBytes(chain, p0) <= memoryBytes)
      chain.maxReplication = p0;
  return chain;
}

Json transformer(const Transformer& model) {
  return TransformerTraffic(model).report();
}

MatmulChain Attention::chain() const {
  MatmulChain chain;
  chain.products = {{hidden, 3 * hidden}, {hidden, hidden}};
  chain.rows = tokens;
  chain.devices = nodes;
  chain.maxReplication = maxReplication;
  chain.hasBackward = false;
  return chain;
}

Json attention(const Attention& layer) {
  MatmulChain chain = layer.chain();
  auto ofPlan = [&](const std::vector<Strategy>& plan) {
    double elements = chain.traffic(plan).volume;
    return Json{{"plan", toJson(plan)},
                {"elements", elements},
                {"bytes", elements * static_cast<double>(layer.elementBytes)}};
  };
  ChainPlan found = planFor(chain, kVolume, layer.solver);
  double least = chain.traffic(found.strategies).volume;
  int64_t equallyGood = 0;
  for (const Strategy& first : chain.strategies())
    for (const Strategy& second : chain.strategies())
      if (ratioOf(chain.traffic({first, second}).volume, least) == 1)
        ++equallyGood;

  std::vector<Strategy> megatron = autoddl::bestMegatronPlan(chain, kVolume);
  Json result{{"autoddl", ofPlan(found.strategies)},
              {"megatron", ofPlan(megatron)}};
  addSearch(result["autoddl"], chain, found);
  result["autoddl"]["plans_as_good"] = equallyGood;
  result["ratio"] = ratioOf(least, chain.traffic(megatron).volume);
  return result;
}

}  // namespace sbp::search::lab
