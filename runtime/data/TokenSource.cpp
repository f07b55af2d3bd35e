#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "runtime/data/Source.h"
#include "runtime/plan/Names.h"
#include "runtime/random/Philox.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"

namespace sbp::data {
namespace {

/// Windows of a file of tokens.
class TokenSource : public Source {
 public:
  TokenSource(std::shared_ptr<const TokenFile> file, TextRole role,
              const plan::Tensor& input, Order::Kind kind, uint64_t seed)
      : file(std::move(file)),
        role(role),
        inputName(input.name),
        elementType(input.elementType),
        below(input.below),
        length(input.shape[1]),
        kind(kind),
        seed(seed) {}

  // The last token of the file can only be a target. With a shuffled order, up
  // to length - 1 tokens before the first window are skipped, unless the file
  // is too short (shifts()).
  int64_t numSamples() const override {
    const int64_t numTokens = file->size() - 1;
    return shifts() ? (numTokens - (length - 1)) / length : numTokens / length;
  }

  void copySample(EpochSample pick, const plan::Box& box,
                  std::byte* destination) const override {
    const int64_t begin = shiftOf(pick.epoch) + pick.sample * length +
                          box[0].begin + (role == TextRole::kTargets ? 1 : 0);
    tensor::convert(file->tokens(begin, box[0].size), elementType, destination);
  }

  // A text is checked when it is opened.
  bool needsCheck() const override {
    return !file->isText() &&
           (below || !tensor::fits(file->type(), elementType));
  }

  // Covers all offsets that the window may have in any epoch.
  absl::Status check(int64_t sample) const override {
    const int64_t begin = sample * length;
    return checkTokens(begin, std::min(2 * length + 1, file->size() - begin));
  }

  /// Fails if one of the `count` tokens from `begin` on is out of the input's
  /// range.
  absl::Status checkTokens(int64_t begin, int64_t count) const {
    const int64_t highest = below ? *below - 1
                            : elementType == plan::ElementType::kI32
                                ? int64_t{std::numeric_limits<int32_t>::max()}
                                : std::numeric_limits<int64_t>::max();
    const auto found =
        tensor::findOutside(file->tokens(begin, count), /*lowest=*/0, highest);
    if (!found) return absl::OkStatus();
    return error(
        "{}: {} {} is {}, but input \"{}\" takes integers from 0 to {}",
        file->path(), file->isText() ? "byte" : "token", begin + found->index,
        found->value, inputName, highest);
  }

  absl::Status checkWhole() const override { return file->checkWhole(); }

  std::optional<std::string> note() const override {
    if (role != TextRole::kTokens) return std::nullopt;
    if (file->seemsWider())
      return fmt::format(
          "{}: read as uint16, every second token is 0; --token-type uint32 "
          "reads token ids of 32 bits",
          file->path());
    constexpr int64_t kNumBytes = 256;
    if (!file->isText() || below.value_or(0) <= kNumBytes) return std::nullopt;
    return fmt::format(
        "{}: a text feeds 0..255 of {} to input \"{}\"; --tokens feeds it from "
        "a file of token ids",
        file->path(), *below, inputName);
  }

 private:
  bool shifts() const {
    return kind == Order::Kind::kShuffled && file->size() > 2 * length;
  }

  int64_t shiftOf(int64_t epoch) const {
    if (!shifts()) return 0;
    return int64_t(random::uniform(seed, random::streamOf("text"), epoch) *
                   double(length));
  }

  std::shared_ptr<const TokenFile> file;
  TextRole role;
  std::string inputName;
  plan::ElementType elementType;
  std::optional<int64_t> below;
  int64_t length;
  Order::Kind kind;
  uint64_t seed;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Source>> makeTokenSource(
    std::shared_ptr<const TokenFile> file, TextRole role,
    const plan::Tensor& input, Order::Kind kind, uint64_t seed) {
  const bool isInteger = input.elementType == plan::ElementType::kI32 ||
                         input.elementType == plan::ElementType::kI64;
  if (!isInteger || input.shape.size() != 2 || input.shape[1] < 1)
    return error(
        "input \"{}\" is {}; a text feeds integers of shape [batch, length]",
        input.name, plan::toString(input.elementType, input.shape));
  if (file->size() <= input.shape[1])
    return error("{} has {}; a window of {} and the token after it need {}",
                 file->path(),
                 text::counted(file->size(), file->isText() ? "byte" : "token"),
                 text::counted(input.shape[1], "token"), input.shape[1] + 1);
  auto source = std::make_unique<TokenSource>(file, role, input, kind, seed);
  if (file->isText() && input.below)
    SBP_RETURN_IF_ERROR(source->checkTokens(/*begin=*/0, file->size()));
  return source;
}

}  // namespace sbp::data
