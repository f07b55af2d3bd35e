// Values that the AutoDDL paper determines, to the last digit.

#include "tools/lab/Experiments.h"

#include <algorithm>
#include <limits>

#include "gtest/gtest.h"

namespace sbp::search::lab {
namespace {

DenseLayers mlp(int64_t nodes, int64_t batch) {
  DenseLayers layers;
  layers.extents = {32768, 16384, 4096, 2048, 512};
  layers.nodes = nodes;
  layers.batch = batch;
  return layers;
}

class ExactSolvers : public testing::TestWithParam<Solver> {};

TEST_P(ExactSolvers, FindTheVolumesOfTheMlpOn128Nodes) {
  for (auto [batch, elements] :
       {std::pair(1024, 9609216), std::pair(8192, 54837248)}) {
    DenseLayers layers = mlp(128, batch);
    layers.solver.solver = GetParam();
    Json found = dense(layers);
    EXPECT_EQ(found["optimum_elements"], elements);
    EXPECT_EQ(found["lower_bound_elements"], elements);
    EXPECT_EQ(found["strategies"], 1679616);
  }
}

TEST_P(ExactSolvers, ReplicateNoWeightOfVggOn32Nodes) {
  DenseLayers layers;
  layers.extents = {25088, 4096, 4096, 1000};
  layers.nodes = 32;
  layers.batch = 256;
  layers.firstInput = autoddl::FirstInput::SplitRows;
  layers.solver.solver = GetParam();
  Json found = dense(layers);
  EXPECT_EQ(found["optimum_elements"], 2734208);
  EXPECT_EQ(found["plan"], Json::parse("[[1,2,16],[1,4,8],[1,2,16]]"));
}

TEST_P(ExactSolvers, ProveThatFigure3HasOneOptimum) {
  Attention layer;
  layer.solver.solver = GetParam();
  Json found = attention(layer);
  EXPECT_TRUE(found["autoddl"]["proven"]);
  EXPECT_EQ(found["autoddl"]["plan"], Json::parse("[[4,8,2],[4,4,4]]"));
  EXPECT_EQ(found["autoddl"]["elements"], 2.0 * (1 << 30));
  EXPECT_EQ(found["autoddl"]["bytes"], 8.0 * (1 << 30));
  EXPECT_EQ(found["autoddl"]["plans_as_good"], 1);
  EXPECT_EQ(found["megatron"]["plan"], Json::parse("[[4,16,1],[4,1,16]]"));
  EXPECT_EQ(found["megatron"]["elements"], 3.75 * (1 << 30));
}

TEST_P(ExactSolvers, ProveWhatOneBlockOn128NodesMoves) {
  Transformer block;
  block.layers = 1;
  block.memoryBytes /= 20;
  block.solver.solver = GetParam();
  Json found = transformer(block)["autoddl"];
  EXPECT_TRUE(found["proven"]);
  EXPECT_EQ(found["activation_units_per_block"], 128);
  EXPECT_EQ(found["weight_units_per_block"], 0.5625);
}

INSTANTIATE_TEST_SUITE_P(All, ExactSolvers,
                         testing::Values(Solver::Exhaustive,
                                         Solver::Elimination));

TEST(Transformer, On128NodesMovesHalfOfWhatMegatronMoves) {
  Json found = transformer(Transformer());
  EXPECT_EQ(found["max_replication"], 4);
  const Json& best = found["autoddl"];
  EXPECT_EQ(best["activation_units_per_block"], 128);
  EXPECT_EQ(best["weight_units_per_block"], 0.5625);
  EXPECT_EQ(best["plan"], Json::parse("[[4,8,4],[4,4,8],[4,8,4],[4,2,16]]"));
  EXPECT_TRUE(best["all_blocks_alike"]);
  const Json& megatron = found["best Megatron grid"];
  EXPECT_EQ(megatron["activation_units_per_block"], 248);
  EXPECT_EQ(megatron["weight_units_per_block"], 0.5625);
  EXPECT_FALSE(found["data parallel"]["fits"]);
}

/// The paper says that Megatron moves less than SUMMA on 64 nodes, and more on
/// 128.
TEST(Transformer, SummaOvertakesMegatronBetween64And128Nodes) {
  auto elements = [](const Json& found, const char* name) {
    return found[name]["elements"].get<double>();
  };
  Transformer model;
  model.nodes = 64;
  model.layers = 8;
  model.memoryBytes = 8e9;
  Json on64 = transformer(model);
  EXPECT_EQ(on64["max_replication"], 4);
  EXPECT_LT(elements(on64, "best Megatron grid"),
            elements(on64, "best SUMMA grid"));
  Json on128 = transformer(Transformer());
  EXPECT_GT(elements(on128, "best Megatron grid"),
            elements(on128, "best SUMMA grid"));
  for (const Json& found : {on64, on128})
    for (const char* other : {"best Megatron grid", "best SUMMA grid"})
      EXPECT_LT(elements(found, "autoddl"), elements(found, other));
}

TEST(Figure8, OrdersTheHeuristicsAsThePaperDoes) {
  Json found = figure8(mlp(4096, 1024), /*runs=*/10, /*evaluations=*/1 << 14);
  const Json& curves = found["relative_cost"];
  auto meanAfter = [&](const char* name, int64_t evaluations) {
    for (const Json& point : curves[name]["points"])
      if (point["evaluations"] == evaluations)
        return point["mean"].get<double>();
    ADD_FAILURE() << "no point after " << evaluations;
    return 0.0;
  };
  // Before its first sweep ends, coordinate descent has changed only some of
  // the layers.
  EXPECT_GT(meanAfter("cd", 64), meanAfter("random", 64));
  EXPECT_GT(meanAfter("cd", 64), meanAfter("mh", 64));
  int64_t last = 1 << 14;
  EXPECT_LT(meanAfter("cd", last), 1.001);
  EXPECT_LE(meanAfter("cd", last), meanAfter("mh", last));
  EXPECT_LT(meanAfter("mh", last), meanAfter("random", last));
}

/// Returns the seconds of the cheapest plan for two products, by trying all
/// plans.
double leastSeconds(const DenseLayers& layers) {
  autoddl::MatmulChain chain = layers.chain();
  std::vector<autoddl::Strategy> all = chain.strategies();
  double least = std::numeric_limits<double>::infinity();
  for (const autoddl::Strategy& first : all)
    for (const autoddl::Strategy& second : all)
      least = std::min(least,
                       layers.link().seconds(chain.traffic({first, second})));
  return least;
}

/// The most expensive plan costs 10^9 times as much as the cheapest.
TEST(Elimination, ProvesThePlanThatIsCheapestBesideVeryDearOnes) {
  for (int64_t nodes : {128, 90})
    for (double alpha : {0.0, 1e-5}) {
      DenseLayers layers = mlp(nodes, 1024);
      layers.extents = {99999999999, 99999999999, 3};
      layers.alphaSeconds = alpha;
      double least = leastSeconds(layers);
      EXPECT_NEAR(dense(layers)["seconds"], least, 1e-14 * least) << nodes;
    }
}

TEST(Elimination, ProvesABoundThatIsWhatThePlanTakes) {
  for (int64_t nodes : {1, 6, 30, 90, 128})
    for (double alpha : {0.0, 1e-5})
      for (int64_t width : std::vector<int64_t>{2048, 99999999999}) {
        DenseLayers layers = mlp(nodes, 1024);
        layers.extents = {width, width, 4096, 3};
        layers.alphaSeconds = alpha;
        Json found = dense(layers);
        EXPECT_TRUE(found["proven"]);
        EXPECT_EQ(found["lower_bound"], found["seconds"]) << found;
        if (alpha == 0)
          EXPECT_EQ(found["lower_bound_elements"], found["optimum_elements"]);
        EXPECT_EQ(figure8(layers, 1, 1)["optimum_seconds"], found["seconds"]);
      }
}

TEST(Figure8, ShowsAnOptimumThatIsFoundAsOneTimesItself) {
  for (int64_t nodes : {1, 6, 32}) {
    Json found = figure8(mlp(nodes, 1024), /*runs=*/10, /*evaluations=*/8192);
    Json last = found["relative_cost"]["cd"]["points"].back();
    EXPECT_EQ(last["mean"], 1) << nodes;
    EXPECT_EQ(last["half_width"], 0) << nodes;
  }
}

TEST(Attention, OnOneNodeMovesAsMuchInAllPlans) {
  Attention layer;
  layer.nodes = 1;
  EXPECT_EQ(attention(layer)["ratio"], 1);
}

/// Returns the volume that each device sends, times the number of devices: an
/// integer.
int64_t wholeVolume(const autoddl::MatmulChain& chain,
                    const autoddl::Strategy& first,
                    const autoddl::Strategy& second) {
  int64_t n = chain.devices;
  auto [hidden, three] = chain.products[0];
  int64_t volume = (first.p1 - 1) * hidden + (first.p2 - 1) * three +
                   (second.p1 - 1) * hidden + (second.p2 - 1) * hidden;
  bool isExchanged = first.p0 != second.p0 && first.p1 != second.p2;
  return chain.rows * (volume * n + (isExchanged ? (n - 1) * three : 0));
}

TEST(Attention, CountsAllPlansThatMoveAsLittle) {
  Attention layer;
  layer.nodes = 24;
  EXPECT_EQ(attention(layer)["autoddl"]["plans_as_good"], 4);
  layer.maxReplication = 12;
  for (int64_t nodes : {3, 6, 9, 12, 18, 24, 27, 36, 48, 63, 81, 90}) {
    layer.nodes = nodes;
    autoddl::MatmulChain chain = layer.chain();
    std::vector<int64_t> volumes;
    for (const autoddl::Strategy& first : chain.strategies())
      for (const autoddl::Strategy& second : chain.strategies())
        volumes.push_back(wholeVolume(chain, first, second));
    int64_t least = *std::min_element(volumes.begin(), volumes.end());
    EXPECT_EQ(attention(layer)["autoddl"]["plans_as_good"],
              std::count(volumes.begin(), volumes.end(), least))
        << nodes;
  }
}

TEST(SplitRows, MoveAsAfterAProductThatIsDataParallel) {
  for (int64_t nodes : {1, 6, 32, 128}) {
    DenseLayers layers = mlp(nodes, 8 * nodes);
    layers.firstInput = autoddl::FirstInput::Free;
    autoddl::MatmulChain free = layers.chain();
    layers.firstInput = autoddl::FirstInput::SplitRows;
    autoddl::MatmulChain split = layers.chain();
    // The inserted product's output is the input of the first product.
    autoddl::MatmulChain after = split;
    after.products.insert(after.products.begin(), {1, layers.extents[0]});
    for (const autoddl::Strategy& s : split.strategies()) {
      Traffic moved = after.between(0, {nodes, 1, 1}, s);
      Traffic own = free.own(0, s) + moved;
      EXPECT_EQ(split.own(0, s).rounds, own.rounds) << nodes << " " << s.p2;
      EXPECT_NEAR(split.own(0, s).volume, own.volume, 1e-12 * own.volume);
    }
  }
}

/// The convolutions' output has the placement that the first layer wants, if
/// its p2 is 1.
TEST(Vgg, On512NodesExchangesNoInput) {
  DenseLayers layers;
  layers.extents = {25088, 4096, 4096, 1000};
  layers.nodes = 512;
  layers.batch = 8 * layers.nodes;
  layers.alphaSeconds = 1e-5;
  layers.firstInput = autoddl::FirstInput::SplitRows;
  Json found = dense(layers);
  EXPECT_EQ(found["plan"][0], Json::parse("[16,32,1]"));
  EXPECT_NEAR(found["seconds"].get<double>(), 0.010154368, 1e-12);
}

TEST(Elimination, AndTryingEverythingAgreeWithLatencyOnSmallMachines) {
  for (int64_t nodes : {1, 2, 4, 6, 12, 30})
    for (auto firstInput :
         {autoddl::FirstInput::Free, autoddl::FirstInput::Gather,
          autoddl::FirstInput::GatherAndScatter,
          autoddl::FirstInput::SplitRows})
      for (auto lastOutput :
           {autoddl::LastOutput::Split, autoddl::LastOutput::Gather}) {
        DenseLayers layers = mlp(nodes, 96);
        layers.alphaSeconds = 1e-5;
        layers.firstInput = firstInput;
        layers.lastOutput = lastOutput;
        Json eliminated = dense(layers);
        layers.solver.solver = Solver::Exhaustive;
        Json all = dense(layers);
        EXPECT_EQ(eliminated["lower_bound"], all["lower_bound"]) << nodes;
        EXPECT_TRUE(eliminated["proven"]);
      }
}

}  // namespace
}  // namespace sbp::search::lab
