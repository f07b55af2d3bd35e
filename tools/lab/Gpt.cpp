#include "tools/lab/Gpt.h"

namespace sbp::search {
namespace {

constexpr double kBytesPerStatistic = 4;

class GptBuilder {
 public:
  GptBuilder(const Gpt& gpt, Chain& chain)
      : gpt_(gpt),
        chain_(chain),
        samples_(gpt.batch / gpt.microBatches),
        features_(gpt.tokens == Tokens::Separate ? 2 : 1),
        broadcast_(features_ + 1),
        partial_(features_ + 2) {}

  void build() {
    int64_t hidden = gpt_.hidden;
    chain_.dims =
        gpt_.tokens == Tokens::Separate
            ? std::vector<std::string>{"batch", "sequence", "features"}
            : std::vector<std::string>{"tokens", "features"};
    chain_.extents = gpt_.tokens == Tokens::Separate
                         ? std::vector<int64_t>{samples_, gpt_.length, hidden}
                         : std::vector<int64_t>{samples_ * gpt_.length, hidden};
    chain_.residualBytes = bytesOf(hidden);
    chain_.microBatches = gpt_.microBatches;
    chain_.bytesPerParameter = static_cast<double>(gpt_.bytesPerElement);

    chain_.head = {"embedding", {embedding()}, /*hasSkip=*/false};
    chain_.blocks = {{"attention",
                      {layerNorm(), product("qkv", hidden, 3 * hidden),
                       attention(), product("projection", hidden, hidden)}},
                     {"feed forward",
                      {layerNorm(), product("up", hidden, 4 * hidden),
                       gelu(4 * hidden), product("down", 4 * hidden, hidden)}}};
    chain_.body = {{{0, 1}, gpt_.layers}};
    chain_.tail = {
        "loss",
        {layerNorm(), product("logits", hidden, gpt_.vocabulary), loss()},
        /*hasSkip=*/false};
  }

 private:
  double tokens() const {
    return static_cast<double>(samples_) * static_cast<double>(gpt_.length);
  }
  /// Returns the bytes of a tensor with `features` features per token.
  double bytesOf(int64_t features) const {
    return tokens() * static_cast<double>(features) *
           static_cast<double>(gpt_.bytesPerElement);
  }

  /// Returns the loops over tokens, for ops that treat all tokens alike.
  std::vector<Loop> tokenLoops() const {
    if (gpt_.tokens == Tokens::Merged)
      return {{"tokens", 0, 0, samples_ * gpt_.length}};
    return {{"batch", 0, 0, samples_}, {"sequence", 1, 1, gpt_.length}};
  }

  /// Returns an op that computes each of `features` features by itself.
  Op featurewise(std::string name, int64_t features) const {
    Op op;
    op.name = std::move(name);
    op.loops = tokenLoops();
    op.loops.push_back({"features", features_, features_, features});
    op.readBytes = op.madeBytes = bytesOf(features);
    return op;
  }

  Op gelu(int64_t features) const { return featurewise("gelu", features); }

  Op layerNorm() const {
    Op op = featurewise("layer norm", gpt_.hidden);
    // Exchanges mean and variance of every token.
    op.loops.back().exchangedBytes = 2 * kBytesPerStatistic * tokens();
    op.loops.back().exchangeRounds = 2;
    return op;
  }

  Op product(std::string name, int64_t in, int64_t out) const {
    Op op;
    op.name = std::move(name);
    op.loops = tokenLoops();
    op.loops.push_back({"columns", broadcast_, features_, out, true});
    op.loops.push_back({"rows", features_, partial_, in, true});
    op.parameters = static_cast<double>(in) * static_cast<double>(out);
    op.flops = 2 * tokens() * op.parameters;
    op.readBytes = bytesOf(in);
    op.madeBytes = bytesOf(out);
    return op;
  }

  Op embedding() const {
    Op op = product("embedding", gpt_.vocabulary, gpt_.hidden);
    op.flops = 0;
    op.readBytes = 0;
    return op;
  }

  Op attention() const {
    Op op;
    op.name = "attention";
    if (gpt_.tokens == Tokens::Merged) {
      op.loops = {{"batch", 0, 0, samples_}};
    } else {
      op.loops = tokenLoops();
      // Each position needs the keys and values of all positions.
      op.loops.back().exchangedBytes = bytesOf(2 * gpt_.hidden);
    }
    op.loops.push_back({"heads", features_, features_, gpt_.heads});
    op.readBytes = bytesOf(3 * gpt_.hidden);
    op.madeBytes = bytesOf(gpt_.hidden);
    op.flops = 4 * tokens() * static_cast<double>(gpt_.length) *
               static_cast<double>(gpt_.hidden);
    return op;
  }

  Op loss() const {
    Op op = featurewise("loss", gpt_.vocabulary);
    // Exchanges the largest logit of every token, and the sum of exponentials.
    op.loops.back().exchangedBytes = 2 * kBytesPerStatistic * tokens();
    op.loops.back().exchangeRounds = 2;
    return op;
  }

  const Gpt& gpt_;
  Chain& chain_;
  int64_t samples_;
  Kind features_, broadcast_, partial_;
};

}  // namespace

Chain chainOf(const Gpt& gpt, std::vector<Level> levels, Processor processor) {
  Chain chain;
  chain.levels = std::move(levels);
  chain.processor = processor;
  GptBuilder(gpt, chain).build();
  return chain;
}

}  // namespace sbp::search
