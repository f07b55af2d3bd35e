#include "test/properties/RandomBatchModel.h"

#include <functional>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sbp::properties {
namespace {

using Shape = std::vector<int64_t>;

/// Returns the text of the type of a tensor of `shape`.
std::string typeOf(const Shape& shape, const char* element = "f64") {
  return shape.empty()
             ? fmt::format("tensor<{}>", element)
             : fmt::format("tensor<{}x{}>", fmt::join(shape, "x"), element);
}

/// Writes the text of a model. Values between layers have the shape [samples,
/// tokens, width].
class BatchModelWriter {
 public:
  BatchModelWriter(Choices& choices, bool mayMix)
      : choices_(choices), mayMix_(mayMix) {}

  RandomBatchModel write() {
    parts_ = choices_.between(2, 3);
    samples_ = parts_ * choices_.between(1, 3);
    tokens_ = choices_.between(1, 3);
    width_ = 2 * choices_.between(1, 3);
    std::string value = addInputs();
    for (int64_t count = choices_.between(1, 5); count > 0; --count)
      value = addLayer(value);
    std::string loss = addLoss(value);
    std::string text = fmt::format(
        "{}func.func @loss({})\n    -> (tensor<f64> {{nn.output = \"loss\"}})\n"
        "    attributes {{nn.optimizer = #nn.sgd}} {{\n{}"
        "  return {} : tensor<f64>\n}}\n",
        functions_, inputs_, body_, loss);
    return {text, parts_, mixes_};
  }

 private:
  Shape whole() const { return {samples_, tokens_, width_}; }

  /// Adds the op `text`, which has one result, and returns the name of the
  /// result.
  std::string op(const std::string& text) {
    std::string name = fmt::format("%v{}", numValues_++);
    body_ += fmt::format("  {} = {}\n", name, text);
    return name;
  }

  std::string unary(const char* mnemonic, const std::string& value,
                    const Shape& shape) {
    return op(fmt::format("{} {} : {}", mnemonic, value, typeOf(shape)));
  }

  std::string binary(const char* mnemonic, const std::string& a,
                     const Shape& aShape, const std::string& b,
                     const Shape& bShape, const Shape& result) {
    return op(fmt::format("nn.{} {}, {} : ({}, {}) -> {}", mnemonic, a, b,
                          typeOf(aShape), typeOf(bShape), typeOf(result)));
  }

  std::string einsum(const char* equation, const std::string& a,
                     const Shape& aShape, const std::string& b,
                     const Shape& bShape, const Shape& result) {
    return binary(fmt::format("einsum \"{}\"", equation).c_str(), a, aShape, b,
                  bShape, result);
  }

  std::string reshape(const std::string& value, const Shape& from,
                      const Shape& to) {
    return op(fmt::format("nn.reshape {} : {} -> {}", value, typeOf(from),
                          typeOf(to)));
  }

  std::string reduce(const char* kind, const std::string& value,
                     const Shape& from, const Shape& dims, const Shape& to,
                     bool keep = false) {
    return op(fmt::format("nn.reduce {} {} over [{}]{} : {} -> {}", kind, value,
                          fmt::join(dims, ", "), keep ? " keep" : "",
                          typeOf(from), typeOf(to)));
  }

  std::string constant(const char* number, const Shape& shape) {
    return op(fmt::format("nn.constant dense<{}> : {}", number, typeOf(shape)));
  }

  std::string parameter(const Shape& shape) {
    std::string name = fmt::format("w{}", numParameters_++);
    functions_ += fmt::format("nn.parameter @{} : {} = #nn.normal<0.5>\n", name,
                              typeOf(shape));
    return op(fmt::format("nn.get @{} : {}", name, typeOf(shape)));
  }

  /// Adds the input of the model, perhaps with its leading dimensions merged,
  /// and perhaps further inputs.
  std::string addInputs() {
    bool isMerged = choices_.chance(20);
    Shape shape = isMerged ? Shape{samples_ * tokens_, width_} : whole();
    inputs_ = fmt::format("%x: {} {{nn.input = \"x\"}}", typeOf(shape));
    for (int64_t number = 0; number < 2 && choices_.chance(60); ++number) {
      masks_.push_back(choices_.chance(50) ? Shape{samples_ * tokens_, 1}
                                           : Shape{samples_, tokens_, 1});
      inputs_ += fmt::format(", %mask{0}: {1} {{nn.input = \"mask{0}\"}}",
                             number, typeOf(masks_.back()));
    }
    return isMerged ? reshape("%x", shape, whole()) : "%x";
  }

  std::string addLayer(const std::string& x) {
    if (mayMix_ && choices_.chance(25)) {
      mixes_ = true;
      return addMixing(x);
    }
    const Shape all = whole();
    const Shape half = {samples_, tokens_, width_ / 2};
    switch (choices_.below(11)) {
      case 0: {  // a product of matrices, or of merged rows
        std::string w = parameter({width_, width_});
        if (choices_.chance(50))
          return einsum("bti,ij->btj", x, all, w, {width_, width_}, all);
        const Shape rows = {samples_ * tokens_, width_};
        std::string merged = reshape(x, all, rows);
        std::string y =
            einsum("ri,ij->rj", merged, rows, w, {width_, width_}, rows);
        return reshape(y, rows, all);
      }
      case 1: {  // a gate: slices of all samples
        std::string a = slice(x, 0), b = slice(x, width_ / 2);
        std::string gated =
            binary("mul", a, half, unary("nn.sigmoid", b, half), half, half);
        return op(fmt::format("nn.concat {}, {} dim 2 : ({}, {}) -> {}", gated,
                              a, typeOf(half), typeOf(half), typeOf(all)));
      }
      case 2:  // a constant of the batch's extent
        return binary("add", x, all, constant("0.5", all), all, all);
      case 3:  // something repeated to it
        return binary(
            "mul", x, all,
            op(fmt::format("nn.broadcast {} : {} -> {}", parameter({width_}),
                           typeOf({width_}), typeOf(all))),
            all, all);
      case 4: {  // indices along some dimension
        std::string i = op(fmt::format("nn.iota dim {} : () -> {}",
                                       choices_.below(3), typeOf(all)));
        return unary("nn.tanh", binary("sub", x, all, i, all, all), all);
      }
      case 5: {  // attention within a sample
        const Shape scores = {samples_, tokens_, tokens_};
        std::string s = einsum("btc,bsc->bts", x, all, x, all, scores);
        std::string p =
            op(fmt::format("nn.softmax {} dim 2 : {}", s, typeOf(scores)));
        return einsum("bts,bsc->btc", p, scores, x, all, all);
      }
      case 6: {  // a mask computed from the samples
        std::string zero = constant("0.0", all);
        std::string isPositive =
            op(fmt::format("nn.compare gt {}, {} : ({}, {}) -> {}", x, zero,
                           typeOf(all), typeOf(all), typeOf(all, "i1")));
        return op(fmt::format("nn.select {}, {}, {} : ({}, {}, {}) -> {}",
                              isPositive, x, zero, typeOf(all, "i1"),
                              typeOf(all), typeOf(all), typeOf(all)));
      }
      case 7: {  // a norm within a sample
        std::string w = parameter({width_});
        return op(fmt::format("nn.rms_norm {}, {} : ({}, {}) -> {}", x, w,
                              typeOf(all), typeOf({width_}), typeOf(all)));
      }
      case 8:  // a cell whose state begins with zeros
        return addCells(x);
      case 9: {  // centred within a sample, transposed and back
        const Shape turned = {tokens_, samples_, width_};
        std::string t = op(fmt::format("nn.transpose {} [1, 0, 2] : {} -> {}",
                                       x, typeOf(all), typeOf(turned)));
        const Shape one = {tokens_, samples_, 1};
        std::string mean = reduce("mean", t, turned, {2}, one, true);
        std::string c = binary("sub", t, turned, mean, one, turned);
        return op(fmt::format("nn.transpose {} [1, 0, 2] : {} -> {}", c,
                              typeOf(turned), typeOf(all)));
      }
      default:  // a parameter with elements for each sample
        return binary("mul", x, all, parameter(all), all, all);
    }
  }

  std::string slice(const std::string& x, int64_t from) {
    const Shape half = {samples_, tokens_, width_ / 2};
    return op(fmt::format("nn.slice {} [0, 0, {}] [{}] : {} -> {}", x, from,
                          fmt::join(half, ", "), typeOf(whole()),
                          typeOf(half)));
  }

  std::string addCells(const std::string& x) {
    const Shape state = {samples_, width_};
    std::string name = fmt::format("cell{}", numLayers_++);
    std::string type = typeOf(state), matrix = typeOf({width_, width_});
    functions_ += fmt::format(
        "func.func private @{0}(%x: {1}, %s: {1}, %w: {2}) -> {1} {{\n"
        "  %p = nn.einsum \"bi,ij->bj\" %s, %w : ({1}, {2}) -> {1}\n"
        "  %a = nn.add %x, %p : ({1}, {1}) -> {1}\n"
        "  %y = nn.tanh %a : {1}\n  return %y : {1}\n}}\n",
        name, type, matrix);
    std::string w = parameter({width_, width_});
    std::string last = constant("0.0", state);
    std::vector<std::string> rows;
    for (int64_t token = 0; token < tokens_; ++token) {
      const Shape one = {samples_, 1, width_};
      std::string row =
          op(fmt::format("nn.slice {} [0, {}, 0] [{}] : {} -> {}", x, token,
                         fmt::join(one, ", "), typeOf(whole()), typeOf(one)));
      last = op(fmt::format("call @{}({}, {}, {}) : ({}, {}, {}) -> {}", name,
                            reshape(row, one, state), last, w, type, type,
                            matrix, type));
      rows.push_back(reshape(last, state, one));
    }
    std::string types;
    for (size_t i = 0; i < rows.size(); ++i)
      types += (i ? ", " : "") + typeOf({samples_, 1, width_});
    return op(fmt::format("nn.concat {} dim 1 : ({}) -> {}",
                          fmt::join(rows, ", "), types, typeOf(whole())));
  }

  /// Adds an op that mixes samples.
  std::string addMixing(const std::string& x) {
    const Shape all = whole();
    const Shape one = {1, tokens_, width_};
    switch (choices_.below(8)) {
      case 0:
        return op(fmt::format("nn.softmax {} dim 0 : {}", x, typeOf(all)));
      case 1:
        return binary("sub", x, all, reduce("mean", x, all, {0}, one, true),
                      one, all);
      case 2:
        return binary(
            "div", x, all,
            unary("nn.exp", reduce("max", x, all, {0}, one, true), one), one,
            all);
      case 3: {
        const Shape pairs = {samples_, samples_, tokens_};
        std::string s = einsum("btc,atc->bat", x, all, x, all, pairs);
        return einsum("bat,atc->btc", s, pairs, x, all, all);
      }
      case 4: {  // the sum of each sample and the next one
        const Shape tail = {samples_ - 1, tokens_, width_};
        std::string first =
            op(fmt::format("nn.slice {} [0, 0, 0] [{}] : {} -> {}", x,
                           fmt::join(one, ", "), typeOf(all), typeOf(one)));
        std::string rest =
            op(fmt::format("nn.slice {} [1, 0, 0] [{}] : {} -> {}", x,
                           fmt::join(tail, ", "), typeOf(all), typeOf(tail)));
        std::string turned =
            op(fmt::format("nn.concat {}, {} dim 0 : ({}, {}) -> {}", rest,
                           first, typeOf(tail), typeOf(one), typeOf(all)));
        return binary("add", x, all, turned, all, all);
      }
      case 5: {  // neighbours in one row
        const Shape row = {samples_ * tokens_ * width_};
        std::string p = op(fmt::format("nn.softmax {} dim 0 : {}",
                                       reshape(x, all, row), typeOf(row)));
        return reshape(p, row, all);
      }
      case 6: {
        std::string turned =
            op(fmt::format("nn.transpose {} [2, 1, 0] : {} -> {}", x,
                           typeOf(all), typeOf({width_, tokens_, samples_})));
        std::string p = op(fmt::format("nn.log_softmax {} dim 2 : {}", turned,
                                       typeOf({width_, tokens_, samples_})));
        return op(fmt::format("nn.transpose {} [2, 1, 0] : {} -> {}", p,
                              typeOf({width_, tokens_, samples_}),
                              typeOf(all)));
      }
      default: {
        std::string sum = reduce("sum", x, all, {0, 1, 2}, {});
        return binary("mul", x, all, unary("nn.tanh", sum, {}), {}, all);
      }
    }
  }

  /// Adds a loss of one or more terms, which are added, subtracted, scaled or
  /// divided by something without samples.
  std::string addLoss(const std::string& x) {
    std::string loss = addTerm(x);
    const int64_t numTerms = masks_.empty() ? 1 : choices_.between(1, 3);
    for (int64_t term = 1; term < numTerms; ++term)
      loss = combined(loss, addTerm(x));
    switch (choices_.below(5)) {
      case 0:
        // A function of several sums must be linear in them.
        if (numTrainedSums_ > 1 && !mayMix_) return loss;
        mixes_ |= numTrainedSums_ > 1;
        return unary("nn.tanh", loss, {});
      case 1: {
        std::string w = parameter({width_});
        std::string penalty = einsum("i,i->", w, {width_}, w, {width_}, {});
        return binary(choices_.chance(50) ? "add" : "div", loss, {}, penalty,
                      {}, {});
      }
      case 2:
        return unary("nn.neg", loss, {});
      default:
        return loss;
    }
  }

  /// Returns the sum or difference of two terms of the loss, perhaps computed
  /// in a layer.
  std::string combined(const std::string& a, const std::string& b) {
    const char* kind = choices_.chance(50) ? "add" : "sub";
    std::string scaled = binary("mul", b, {}, constant("0.5", {}), {}, {});
    if (choices_.chance(70)) return binary(kind, a, {}, scaled, {}, {});
    std::string name = fmt::format("both{}", numLayers_++), type = typeOf({});
    functions_ += fmt::format(
        "func.func private @{0}(%a: {1}, %b: {1}) -> {1} {{\n"
        "  %y = nn.{2} %a, %b : ({1}, {1}) -> {1}\n  return %y : {1}\n}}\n",
        name, type, kind);
    return op(fmt::format("call @{}({}, {}) : ({}, {}) -> {}", name, a, scaled,
                          type, type, type));
  }

  /// Adds a sum or mean over all samples, or one that weighs them by a mask.
  std::string addTerm(const std::string& x) {
    const Shape all = whole();
    std::string w = parameter({width_});
    std::string y = binary("mul", x, all, w, {width_}, all);
    ++numTrainedSums_;
    if (masks_.empty() || choices_.chance(20))
      return reduce(choices_.chance(50) ? "mean" : "sum", y, all, {0, 1, 2},
                    {});
    const Shape one = {samples_, tokens_, 1};
    const auto number = choices_.below(static_cast<int64_t>(masks_.size()));
    std::string mask =
        reshape(fmt::format("%mask{}", number), masks_[number], one);
    std::string weight = binary("mul", mask, one, mask, one, one);
    std::string z = binary("mul", y, all, weight, one, all);
    std::string count = reduce("sum", weight, one, {0, 1, 2}, {});
    if (choices_.chance(70))
      return divided(reduce("sum", z, all, {0, 1, 2}, {}), count, {});
    // Each element of a vector is a mean over samples.
    numTrainedSums_ += width_ - 1;
    std::string sums = reduce("sum", z, all, {0, 1}, {width_});
    return reduce("sum", divided(sums, count, {width_}), {width_}, {0}, {});
  }

  /// Returns the quotient of `sum` and the number `count`, perhaps computed in
  /// a layer.
  std::string divided(const std::string& sum, const std::string& count,
                      const Shape& shape) {
    if (choices_.chance(70)) return binary("div", sum, shape, count, {}, shape);
    std::string name = fmt::format("mean{}", numLayers_++);
    std::string type = typeOf(shape), number = typeOf({});
    functions_ += fmt::format(
        "func.func private @{0}(%a: {1}, %n: {2}) -> {1} {{\n"
        "  %y = nn.div %a, %n : ({1}, {2}) -> {1}\n  return %y : {1}\n}}\n",
        name, type, number);
    return op(fmt::format("call @{}({}, {}) : ({}, {}) -> {}", name, sum, count,
                          type, number, type));
  }

  Choices& choices_;
  bool mayMix_;
  bool mixes_ = false;
  int64_t parts_ = 1, samples_ = 1, tokens_ = 1, width_ = 1;
  int64_t numValues_ = 0, numParameters_ = 0, numLayers_ = 0;
  int64_t numTrainedSums_ = 0;  // sums over samples that depend on parameters
  std::vector<Shape> masks_;
  std::string functions_, inputs_, body_;
};

}  // namespace

RandomBatchModel randomBatchModel(Choices& choices, bool mayMix) {
  return BatchModelWriter(choices, mayMix).write();
}

}  // namespace sbp::properties
