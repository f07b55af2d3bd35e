#include "test/properties/RandomNetwork.h"

#include <regex>
#include <vector>

#include "dialects/sbp/Kept.h"
#include "fmt/format.h"

namespace sbp::properties {
namespace {

/// Writes the text of a network.
class NetworkWriter {
 public:
  NetworkWriter(Choices& choices, int64_t maxStages, bool mayWeigh)
      : choices_(choices), maxStages_(maxStages), mayWeigh_(mayWeigh) {}

  RandomNetwork write() {
    RandomNetwork network;
    network.parts = choices_.between(2, 5);
    samples_ = network.parts * choices_.between(1, 4);
    int64_t width = choices_.between(1, 6);
    inputWidth_ = width;
    std::string value = firstValue();
    std::string input = typeOf(width);
    for (int64_t count = choices_.between(1, 4); count > 0; --count) {
      // A called layer keeps the width, so that it can be called again.
      bool isCalled = choices_.chance(50);
      int64_t next = isCalled ? width : choices_.between(1, 6);
      int64_t times = isCalled ? choices_.between(1, 3) : 1;
      value = addLayer(value, width, next, isCalled, times);
      width = next;
    }
    network.isWeighted = mayWeigh_ && choices_.chance(30);
    addLoss(value, width, network.isWeighted);
    network.text = fmt::format(
        "{}func.func @loss(%x: {} {{nn.input = \"x\"}})\n"
        "    -> (tensor<f64> {{nn.output = \"loss\"}})\n"
        "    attributes {{nn.optimizer = {}}} {{\n"
        "{}  return %loss : tensor<f64>\n}}\n",
        functions_, input, optimizer(), body_);
    network.stages = stage_ + 1;
    return network;
  }

 private:
  struct Value {
    std::string name;
    int64_t width;
  };

  std::string typeOf(int64_t width) const {
    return fmt::format("tensor<{}x{}xf64>", samples_, width);
  }

  /// Adds a sum or a mean over samples. If `isWeighted`, subtracts a mean in
  /// which each sample has a weight that depends on the input.
  void addLoss(const std::string& value, int64_t width, bool isWeighted) {
    body_ +=
        fmt::format("  {} = nn.reduce {} {} over [0, 1] : {} -> tensor<f64>\n",
                    isWeighted ? "%plain" : "%loss",
                    choices_.chance(50) ? "mean" : "sum", value, typeOf(width));
    if (!isWeighted) return;
    body_ += fmt::format(
        "  %squares = nn.mul %x, %x : ({0}, {0}) -> {0}\n"
        "  %weights = nn.reduce sum %squares over [1] keep : {0} -> {1}\n"
        "  %weighted = nn.mul {3}, %weights : ({2}, {1}) -> {2}\n"
        "  %sum = nn.reduce sum %weighted over [0, 1] : {2} -> tensor<f64>\n"
        "  %weight = nn.reduce sum %weights over [0, 1] : {1} -> tensor<f64>\n"
        "  %mean = nn.div %sum, %weight : (tensor<f64>, tensor<f64>) -> "
        "tensor<f64>\n"
        "  %loss = nn.sub %plain, %mean : (tensor<f64>, tensor<f64>) -> "
        "tensor<f64>\n",
        typeOf(inputWidth_), typeOf(1), typeOf(width), value);
  }

  std::string optimizer() {
    constexpr const char* kOptimizers[] = {
        "#nn.sgd", "#nn.sgd<momentum = 0.5>",
        "#nn.adam<beta1 = 0.5, beta2 = 0.75, epsilon = 0.01>"};
    return kOptimizers[choices_.between(0, 2)];
  }

  /// Returns the input, or, with stages, perhaps a function of the input
  /// without parameters.
  std::string firstValue() {
    if (maxStages_ == 1 || !choices_.chance(15)) return "%x";
    body_ += fmt::format("  %first = nn.tanh %x{} : {}\n", stageMark(),
                         typeOf(inputWidth_));
    return "%first";
  }

  /// Returns the attribute for the first op of a layer: that of the current
  /// stage or, except for the first layer, perhaps that of the next stage.
  std::string stageMark() {
    if (maxStages_ == 1) return "";
    if (isBegun_ && stage_ + 1 < maxStages_ && choices_.chance(60)) ++stage_;
    isBegun_ = true;
    return fmt::format(" {{sbp.stage = {}}}", stage_);
  }

  /// Adds a layer from `width` to `next` elements per sample, applied `times`
  /// times to `value` with the same parameters, and returns its result. With
  /// stages, it may also be applied to the input, and the two results added.
  std::string addLayer(std::string value, int64_t width, int64_t next,
                       bool isCalled, int64_t times) {
    int64_t number = numLayers_++;
    const std::string from = typeOf(width), to = typeOf(next);
    const std::string matrix = fmt::format("tensor<{}x{}xf64>", width, next);
    const std::string vector = fmt::format("tensor<{}xf64>", next);
    functions_ += fmt::format(
        "nn.parameter @w{0} : {1} = #nn.normal<0.5>\n"
        "nn.parameter @b{0} : {2} = #nn.normal<0.5>\n",
        number, matrix, vector);
    body_ += fmt::format(
        "  %w{0} = nn.get @w{0} : {1}\n"
        "  %b{0} = nn.get @b{0} : {2}\n",
        number, matrix, vector);
    constexpr const char* kActivations[] = {"nn.tanh", "nn.gelu", "nn.silu"};
    const char* activation = kActivations[choices_.between(0, 2)];
    auto ops = [&](const std::string& input, const std::string& prefix,
                   const std::string& w, const std::string& b,
                   const std::string& mark) {
      return fmt::format(
          "  {0}p = nn.einsum \"bi,ij->bj\" {1}, {2}{9} : ({3}, {4}) -> {5}\n"
          "  {0}s = nn.add {0}p, {6} : ({5}, {7}) -> {5}\n"
          "  {0}y = {8} {0}s : {5}\n",
          prefix, input, w, from, matrix, to, b, vector, activation, mark);
    };
    if (isCalled)
      functions_ += fmt::format(
          "func.func private @layer{0}(%x: {1}, %w: {2}, %b: {3}) -> {4}\n"
          "    attributes {{sbp.keep = #sbp.keep<{6}>}} {{\n"
          "{5}  return %y : {4}\n}}\n",
          number, from, matrix, vector, to, ops("%x", "%", "%w", "%b", ""),
          stringOf(choices_.pick(kAllKept)));
    for (int64_t time = 0; time < times; ++time) {
      const std::string prefix = fmt::format("%l{}_{}", number, time);
      const std::string w = fmt::format("%w{}", number);
      const std::string b = fmt::format("%b{}", number);
      const std::string mark = stageMark();
      const bool isBranch = width == inputWidth_ && next == width &&
                            maxStages_ > 1 && choices_.chance(20);
      const std::string input = isBranch ? "%x" : value;
      if (isCalled)
        body_ += fmt::format(
            "  {0}y = call @layer{1}({2}, {3}, {4}){9} : ({5}, {6}, {7}) -> "
            "{8}\n",
            prefix, number, input, w, b, from, matrix, vector, to, mark);
      else
        body_ += ops(input, prefix, w, b, mark);
      const std::string result = prefix + "y";
      value = skipped(
          {isBranch ? sumOf(result, value, next, stageMark()) : result, next});
    }
    return value;
  }

  /// Returns `value`, or the sum of it and an earlier value.
  std::string skipped(Value value) {
    std::vector<std::string> alike;
    for (const Value& earlier : values_)
      if (earlier.width == value.width) alike.push_back(earlier.name);
    if (!alike.empty() && choices_.chance(30))
      value.name = sumOf(value.name, choices_.pick(alike), value.width, "");
    values_.push_back(value);
    return value.name;
  }

  std::string sumOf(const std::string& a, const std::string& b, int64_t width,
                    const std::string& mark) {
    const std::string type = typeOf(width);
    body_ += fmt::format("  {0}_sum = nn.add {0}, {1}{3} : ({2}, {2}) -> {2}\n",
                         a, b, type, mark);
    return a + "_sum";
  }

  Choices& choices_;
  int64_t maxStages_;
  bool mayWeigh_;
  int64_t samples_ = 1;
  int64_t inputWidth_ = 1;
  int64_t numLayers_ = 0;
  int64_t stage_ = 0;
  bool isBegun_ = false;
  std::vector<Value> values_;
  std::string functions_, body_;
};

}  // namespace

RandomNetwork randomNetwork(Choices& choices, int64_t maxStages,
                            bool mayWeigh) {
  return NetworkWriter(choices, maxStages, mayWeigh).write();
}

std::string unstaged(const std::string& text) {
  return std::regex_replace(text, std::regex(" \\{sbp.stage = \\d+\\}"), "");
}

std::string inF32(const std::string& text) {
  return std::regex_replace(text, std::regex("f64"), "f32");
}

}  // namespace sbp::properties
