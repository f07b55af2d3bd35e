#include <limits>
#include <optional>
#include <utility>

#include "runtime/data/Npy.h"
#include "runtime/data/SampleLayout.h"
#include "runtime/data/Source.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/NotFinite.h"
#include "runtime/tensor/Rows.h"

namespace sbp::data {
namespace {

/// The samples of a .npy file.
class NpySource : public Source {
 public:
  NpySource(NpyFile npy, std::string path, const plan::Tensor& input)
      : npy(std::move(npy)),
        path(std::move(path)),
        inputName(input.name),
        elementType(input.elementType),
        below(input.below),
        layout(this->npy.shape(), this->npy.isFortranOrder()),
        isSame(this->npy.type() == tensor::storedTypeOf(elementType)),
        elementBytes(tensor::byteWidth(this->npy.type())) {}

  int64_t numSamples() const override { return layout.numSamples(); }

  void copySample(EpochSample pick, const plan::Box& box,
                  std::byte* destination) const override {
    if (isSame && layout.isDense()) {
      tensor::takeBox(at(layout.begin(pick.sample)), layout.sampleShape(), box,
                      elementBytes, destination);
      return;
    }
    const int64_t bytes = plan::byteWidth(elementType);
    layout.forEachRun(pick.sample, box, [&](const ElementRun& run) {
      tensor::convert(numbersOf(run), elementType,
                      destination + run.inBox * bytes);
    });
  }

  bool needsCheck() const override {
    return below || plan::isFloat(elementType) ||
           !tensor::fits(npy.type(), elementType);
  }

  absl::Status check(int64_t sample) const override {
    if (plan::isFloat(elementType)) return checkFinite(sample);
    return elementType == plan::ElementType::kI1 ? absl::OkStatus()
                                                 : checkRange(sample);
  }

  absl::Status checkWhole() const override { return npy.checkWhole(); }

  std::optional<std::string> note() const override {
    std::string text;
    if (!isSame)
      text = fmt::format("{} is read as {}", tensor::toString(npy.type()),
                         plan::toString(elementType));
    if (!layout.isDense())
      text += fmt::format(
          "{}it is in Fortran order, which takes longer to read; "
          "numpy.ascontiguousarray makes it row-major",
          text.empty() ? "" : ", and ");
    if (text.empty()) return std::nullopt;
    return fmt::format("{}: {}", path, text);
  }

 private:
  const std::byte* at(int64_t element) const {
    return npy.elements() + element * elementBytes;
  }

  tensor::StoredNumbers numbersOf(const ElementRun& run) const {
    return {npy.type(), at(run.first), run.count, run.stride};
  }

  absl::Status checkFinite(int64_t sample) const {
    const int64_t count = plan::numElements(layout.sampleShape());
    std::vector<std::byte> converted;
    const std::byte* elements = at(layout.begin(sample));
    if (!isSame || !layout.isDense()) {
      converted.resize(count * plan::byteWidth(elementType));
      copySample({/*epoch=*/0, sample}, layout.whole(), converted.data());
      elements = converted.data();
    }
    const auto found = tensor::findNotFinite(elementType, elements, count);
    if (!found) return absl::OkStatus();
    return error("{}: {}, but input \"{}\" takes finite numbers", path,
                 describe(sample, found->element, found->value), inputName);
  }

  absl::Status checkRange(int64_t sample) const {
    using Narrow = std::numeric_limits<int32_t>;
    using Wide = std::numeric_limits<int64_t>;
    const bool isNarrow = elementType == plan::ElementType::kI32;
    const int64_t lowest = below      ? 0
                           : isNarrow ? int64_t{Narrow::min()}
                                      : Wide::min();
    const int64_t highest = below      ? *below - 1
                            : isNarrow ? int64_t{Narrow::max()}
                                       : Wide::max();
    absl::Status status;
    layout.forEachRun(sample, layout.whole(), [&](const ElementRun& run) {
      if (!status.ok()) return;
      const auto found = tensor::findOutside(numbersOf(run), lowest, highest);
      if (!found) return;
      status =
          error("{}: {}, but input \"{}\" takes integers from {} to {}", path,
                describe(sample, run.inBox + found->index, found->value),
                inputName, lowest, highest);
    });
    return status;
  }

  /// Describes the position of `value` in the file: "sample 3 has 7 at [0, 2]".
  template <typename T>
  std::string describe(int64_t sample, int64_t element, const T& value) const {
    if (npy.shape().empty()) return fmt::format("it is {}", value);
    const std::vector<int64_t>& shape = layout.sampleShape();
    if (shape.empty()) return fmt::format("sample {} is {}", sample, value);
    std::vector<int64_t> place(shape.size());
    for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim])
      place[dim] = element % shape[dim];
    return fmt::format("sample {} has {} at [{}]", sample, value,
                       fmt::join(place, ", "));
  }

  NpyFile npy;
  std::string path;
  std::string inputName;
  plan::ElementType elementType;
  std::optional<int64_t> below;
  SampleLayout layout;
  bool isSame;           // the file's type is the input's type
  int64_t elementBytes;  // of an element in the file
};

/// Whether the file can be read, but is not a .npy file.
bool isOfAnotherFormat(const std::string& path) {
  const auto file = file::MappedFile::open(path);
  return file.ok() && !isNpy(file->bytes());
}

}  // namespace

absl::StatusOr<std::unique_ptr<Source>> openNpySource(
    const std::string& path, const plan::Tensor& input) {
  const bool takesTokens =
      input.shape.size() == 2 && !plan::isFloat(input.elementType);
  if (takesTokens && isOfAnotherFormat(path))
    return error(
        "cannot read {}: it is no .npy file; --tokens feeds input \"{}\" from "
        "token ids without a header",
        path, input.name);
  SBP_ASSIGN_OR_RETURN(NpyFile npy, NpyFile::open(path));
  const std::vector<int64_t>& shape = npy.shape();
  bool fits = shape.size() == input.shape.size() &&
              tensor::canBecome(npy.type(), input.elementType);
  for (size_t dim = 1; fits && dim < shape.size(); ++dim)
    fits = shape[dim] == input.shape[dim];
  const bool isRow = takesTokens && shape.size() == 1 &&
                     tensor::canBecome(npy.type(), input.elementType);
  if (!fits)
    return error(
        "{} holds {}, but input \"{}\" takes {} per batch ({})", path,
        tensor::toString(npy.type(), shape), input.name,
        plan::toString(input.elementType, input.shape),
        isRow ? "--tokens cuts one dimension into windows"
              : "the first dimension of the file is samples, of any number");
  return std::make_unique<NpySource>(std::move(npy), path, input);
}

}  // namespace sbp::data
