#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// Divisible twice by all divisors that occur in rings of up to 16 devices.
constexpr double kBytes = 256 * 81;

int64_t draw(std::mt19937_64& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % (high - low + 1));
}

}  // namespace

Chain randomChain(std::mt19937_64& random) {
  Chain chain;
  static const std::vector<std::vector<int64_t>> kMachines = {
      {4},    {8},       {2, 2}, {4, 2}, {2, 4}, {6},
      {2, 3}, {2, 2, 2}, {3, 2}, {16},   {4, 4}, {8, 2}};
  const auto& counts = kMachines[draw(random, 0, kMachines.size() - 1)];
  int64_t devices = 1;
  for (int64_t count : counts) {
    devices *= count;
    double alpha = static_cast<double>(draw(random, 0, 40)) * 1e-7;
    double beta = static_cast<double>(draw(random, 1, 60)) * 1e-12 *
                  (draw(random, 0, 1) ? 1 : 16);
    chain.levels.push_back({count, {alpha, beta}});
  }
  chain.dims = devices <= 8 && draw(random, 0, 1)
                   ? std::vector<std::string>{"batch", "sequence", "features"}
                   : std::vector<std::string>{"tokens", "features"};
  int64_t dims = chain.numDims();
  auto broadcast = static_cast<Kind>(dims);
  auto size = [&] { return kBytes * static_cast<double>(draw(random, 1, 64)); };
  for (int64_t dim = 0; dim < dims; ++dim)
    chain.extents.push_back(draw(random, 0, 3) == 0 ? draw(random, 1, 4) : 64);
  chain.processor = {1e12, 1e12};
  chain.microBatches = draw(random, 1, 3);
  chain.residualBytes = size();

  auto op = [&](double reads, double makes, bool mayContract) {
    Op made;
    made.name = "op";
    made.readBytes = reads;
    made.madeBytes = makes;
    made.flops = static_cast<double>(draw(random, 0, 400)) * 1e4;
    bool isProduct = mayContract && draw(random, 0, 2) > 0;
    for (Kind dim = 0; dim < dims; ++dim) {
      bool isFeature = dim + 1 == dims;
      Loop loop{"loop", dim, dim,
                draw(random, 0, 3) == 0 ? draw(random, 1, 4) : 64};
      if (isFeature && isProduct) {
        loop.reads = broadcast;
        loop.cutsWeight = true;
      }
      if (!isProduct && draw(random, 0, 3) == 0) loop.exchangedBytes = size();
      // Not every op can split every dimension.
      if (draw(random, 0, 5) > 0) made.loops.push_back(loop);
    }
    if (isProduct) {
      made.loops.push_back({"sum", static_cast<Kind>(dims - 1),
                            static_cast<Kind>(dims + 1), 64, true});
      made.parameters = static_cast<double>(draw(random, 1, 50)) * kBytes;
    }
    return made;
  };
  auto block = [&](int64_t ops, bool fromNothing, bool toNothing) {
    Block made;
    made.name = "block";
    double bytes = fromNothing ? 0 : chain.residualBytes;
    for (int64_t i = 0; i < ops; ++i) {
      bool isLast = i + 1 == ops;
      double next = isLast && !toNothing ? chain.residualBytes : size();
      made.ops.push_back(op(bytes, next, true));
      bytes = next;
    }
    return made;
  };
  chain.head = block(1, true, false);
  chain.tail = block(draw(random, 1, 2), false, true);
  for (int64_t i = draw(random, 1, 2); i > 0; --i) {
    chain.blocks.push_back(block(draw(random, 1, 3), false, false));
    chain.blocks.back().hasSkip = draw(random, 0, 3) > 0;
  }
  Repetition body;
  for (size_t i = 0; i < chain.blocks.size(); ++i) body.blocks.push_back(i);
  body.times = draw(random, 1, 3);
  chain.body.push_back(body);
  return chain;
}

}  // namespace sbp::search
