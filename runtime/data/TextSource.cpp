#include <algorithm>
#include <utility>

#include "runtime/data/Source.h"
#include "runtime/plan/Names.h"
#include "runtime/random/Philox.h"
#include "runtime/status/Status.h"

namespace sbp::data {
namespace {

class TextSource : public Source {
 public:
  TextSource(std::shared_ptr<const file::MappedFile> text, TextRole role,
             const plan::Tensor& input, Order::Kind kind, uint64_t seed)
      : text(std::move(text)),
        role(role),
        elementType(input.elementType),
        length(input.shape[1]),
        kind(kind),
        seed(seed) {}

  // The first window begins up to length - 1 bytes into the text, and the last
  // token has a next one. A text of fewer than two windows has no room to
  // shift.
  int64_t numSamples() const override {
    const int64_t numTokens = int64_t(text->bytes().size()) - 1;
    return shifts() ? (numTokens - (length - 1)) / length : numTokens / length;
  }

  void copySample(Pick pick, const plan::Box& box,
                  std::byte* destination) const override {
    const int64_t begin = shiftOf(pick.epoch) + pick.sample * length +
                          box[0].begin + (role == TextRole::kTargets ? 1 : 0);
    const char* bytes = text->bytes().data() + begin;
    if (elementType == plan::ElementType::kI32) {
      widen(bytes, box[0].size, reinterpret_cast<int32_t*>(destination));
    } else {
      widen(bytes, box[0].size, reinterpret_cast<int64_t*>(destination));
    }
  }

 private:
  bool shifts() const {
    return kind == Order::Kind::kShuffled &&
           int64_t(text->bytes().size()) > 2 * length;
  }

  int64_t shiftOf(int64_t epoch) const {
    if (!shifts()) return 0;
    return int64_t(random::uniform(seed, random::streamOf("text"), epoch) *
                   double(length));
  }

  template <typename T>
  static void widen(const char* bytes, int64_t count, T* tokens) {
    for (int64_t i = 0; i < count; ++i)
      tokens[i] = static_cast<unsigned char>(bytes[i]);
  }

  std::shared_ptr<const file::MappedFile> text;
  TextRole role;
  plan::ElementType elementType;
  int64_t length;
  Order::Kind kind;
  uint64_t seed;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Source>> makeTextSource(
    std::shared_ptr<const file::MappedFile> text, const std::string& path,
    TextRole role, const plan::Tensor& input, Order::Kind kind, uint64_t seed) {
  const bool isInteger = input.elementType == plan::ElementType::kI32 ||
                         input.elementType == plan::ElementType::kI64;
  if (!isInteger || input.shape.size() != 2 || input.shape[1] < 1)
    return error(
        "input \"{}\" is {}; a text feeds integers of shape [batch, length]",
        input.name, plan::toString(input.elementType, input.shape));
  if (int64_t(text->bytes().size()) <= input.shape[1])
    return error(
        "{} has {} bytes; a window of {} tokens and the next one need {}", path,
        text->bytes().size(), input.shape[1], input.shape[1] + 1);
  if (input.below) {
    const std::string_view bytes = text->bytes();
    const auto found = std::find_if(bytes.begin(), bytes.end(), [&](char byte) {
      return static_cast<unsigned char>(byte) >= *input.below;
    });
    if (found != bytes.end())
      return error(
          "{}: byte {} is {}, but input \"{}\" takes integers from 0 to {}",
          path, found - bytes.begin(), static_cast<unsigned char>(*found),
          input.name, *input.below - 1);
  }
  return std::make_unique<TextSource>(std::move(text), role, input, kind, seed);
}

}  // namespace sbp::data
