#include "codegen/fuse/testing/RandomElementwise.h"

#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace sbp {
namespace {

/// A shape, and shapes that broadcast to it.
struct Shapes {
  std::string shape;
  std::vector<std::string> repeated;
};

const std::vector<Shapes>& shapes() {
  static const auto* const kShapes = new std::vector<Shapes>{
      {"4x64x", {"64x", "4x1x", "1x64x", ""}},
      {"5x7x", {"7x", "5x1x", ""}},
      {"96x", {"1x", ""}},
      {"2x3x16x", {"3x1x", "16x", "2x1x16x"}},
      {"", {"", ""}},
  };
  return *kShapes;
}

}  // namespace

RandomElementwise::RandomElementwise(uint32_t seed, std::string floatElement,
                                     std::vector<std::string> otherElements)
    : random_(seed),
      float_(std::move(floatElement)),
      others_(std::move(otherElements)) {}

std::string RandomElementwise::function(const std::string& name) {
  const Shapes& chosen = pick(shapes());
  shape_ = chosen.shape;
  body_.clear();
  values_.clear();
  repeated_.clear();
  std::vector<std::string> arguments;
  auto add = [&](const std::string& type) {
    const std::string argument = fmt::format("%a{}", arguments.size());
    arguments.push_back(fmt::format("{}: {}", argument, type));
    return argument;
  };
  for (int64_t i = below(3); i >= 0; --i) values_.push_back(add(full(float_)));
  for (const std::string& shape : chosen.repeated) {
    const std::string type = tensor(shape, float_);
    repeated_.push_back({add(type), type});
  }
  for (int64_t i = 2 + below(9); i > 0; --i) values_.push_back(step());
  std::vector<std::string> results = {values_.back()};
  while (below(3) == 0) results.push_back(value());
  const std::vector<std::string> types(results.size(), full(float_));
  return fmt::format("func.func @{}({}) -> ({}) {{\n{}  return {} : {}\n}}\n",
                     name, fmt::join(arguments, ", "), fmt::join(types, ", "),
                     body_, fmt::join(results, ", "), fmt::join(types, ", "));
}

std::string RandomElementwise::step() {
  switch (below(8)) {
    case 0:
    case 1:
      return unary();
    case 2:
      return gradient();
    case 3:
      return choice();
    case 4:
      return castThereAndBack();
    default:
      return binary();
  }
}

std::string RandomElementwise::unary() {
  const std::string op =
      pick<std::string>({"neg", "exp", "log", "sqrt", "rsqrt", "tanh",
                         "sigmoid", "relu", "silu", "gelu", "gelu tanh"});
  return write(fmt::format("nn.{} {} : {}", op, value(), full(float_)));
}

std::string RandomElementwise::binary() {
  const std::string op =
      pick<std::string>({"add", "sub", "mul", "div", "max", "min"});
  Operand left = {value(), full(float_)}, right = {value(), full(float_)};
  if (below(2) == 0) {
    right = pick(repeated_);
  } else if (below(2) == 0) {
    right.type = below(2) == 0 ? full(float_) : tensor("", float_);
    right.name = write(fmt::format("nn.constant dense<{}> : {}",
                                   pick<std::string>({"0.3", "-1.0", "2.7e3"}),
                                   right.type));
  }
  if (below(2) == 0) std::swap(left, right);
  return write(fmt::format("nn.{} {}, {} : ({}, {}) -> {}", op, left.name,
                           right.name, left.type, right.type, full(float_)));
}

std::string RandomElementwise::gradient() {
  const std::string op =
      pick<std::string>({"gelu_grad", "gelu_grad tanh", "silu_grad"});
  return write(fmt::format("nn.{} {}, {} : ({}, {}) -> {}", op, value(),
                           value(), full(float_), full(float_), full(float_)));
}

std::string RandomElementwise::choice() {
  const std::string isLess =
      write(fmt::format("nn.compare lt {}, {} : ({}, {}) -> {}", value(),
                        value(), full(float_), full(float_), full("i1")));
  // A select between two equal values may be folded, and need no store.
  const std::string other = unary();
  return write(fmt::format("nn.select {}, {}, {} : ({}, {}, {}) -> {}", isLess,
                           value(), other, full("i1"), full(float_),
                           full(float_), full(float_)));
}

std::string RandomElementwise::castThereAndBack() {
  const std::string other = pick(others_);
  const std::string there = write(
      fmt::format("nn.cast {} : {} -> {}", value(), full(float_), full(other)));
  const std::string back = write(
      fmt::format("nn.cast {} : {} -> {}", there, full(other), full(float_)));
  // Without another op, nothing may be left to compute or to store in place.
  return write(fmt::format("nn.neg {} : {}", back, full(float_)));
}

std::string RandomElementwise::write(const std::string& text) {
  const std::string name = fmt::format("%v{}", numNames_++);
  body_ += fmt::format("  {} = {}\n", name, text);
  return name;
}

std::string RandomElementwise::tensor(const std::string& shape,
                                      const std::string& element) {
  return fmt::format("tensor<{}{}>", shape, element);
}

}  // namespace sbp
