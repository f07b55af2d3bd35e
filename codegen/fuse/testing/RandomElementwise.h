// Random functions of element-wise ops, as text.

#ifndef CODEGEN_FUSE_TESTING_RANDOMELEMENTWISE_H_
#define CODEGEN_FUSE_TESTING_RANDOMELEMENTWISE_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sbp {

/// Writes random functions, one per call of function().
class RandomElementwise {
 public:
  /// `floatElement` is the element type of most tensors; some are cast to one
  /// of `otherElements`.
  RandomElementwise(uint32_t seed, std::string floatElement,
                    std::vector<std::string> otherElements);

  /// Returns the text of the function @`name`, which is public. All its ops
  /// have one shape; an argument has this shape too, or one that broadcasts to
  /// it. The function returns its last value, and sometimes others.
  std::string function(const std::string& name);

 private:
  /// Writes an op, or a few, and returns the name of the result.
  std::string step();
  std::string unary();
  std::string binary();
  std::string gradient();
  std::string choice();
  std::string castThereAndBack();

  /// Writes `%name = text`, and returns the name.
  std::string write(const std::string& text);
  /// Returns a value of the shape of the ops.
  std::string value() { return pick(values_); }
  /// Returns the type of a tensor of the shape of the ops.
  std::string full(const std::string& element) const {
    return tensor(shape_, element);
  }
  static std::string tensor(const std::string& shape,
                            const std::string& element);

  int64_t below(int64_t bound) {
    return static_cast<int64_t>(random_() % static_cast<uint32_t>(bound));
  }
  template <typename T>
  T pick(const std::vector<T>& choices) {
    return choices[below(static_cast<int64_t>(choices.size()))];
  }

  /// A tensor that may be an operand of an op of two operands.
  struct Operand {
    std::string name, type;
  };

  std::mt19937 random_;
  std::string float_;
  std::vector<std::string> others_;
  std::string shape_;  // "4x64x", or "" for a scalar
  std::string body_;
  std::vector<std::string> values_;
  std::vector<Operand> repeated_;  // arguments that broadcast
  int64_t numNames_ = 0;
};

}  // namespace sbp

#endif  // CODEGEN_FUSE_TESTING_RANDOMELEMENTWISE_H_
