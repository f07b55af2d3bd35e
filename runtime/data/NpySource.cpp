#include <cstring>
#include <optional>
#include <utility>

#include "runtime/data/Npy.h"
#include "runtime/data/Source.h"
#include "runtime/math/BFloat16.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/NotFinite.h"
#include "runtime/tensor/Rows.h"

namespace sbp::data {
namespace {

class NpySource : public Source {
 public:
  NpySource(NpyFile npy, std::string path, const plan::Tensor& input)
      : npy(std::move(npy)),
        path(std::move(path)),
        inputName(input.name),
        below(input.below),
        isRounded(input.elementType == plan::ElementType::kBF16),
        sampleShape(shapeOfSample(this->npy.shape())),
        elementBytes(plan::byteWidth(this->npy.elementType())),
        sampleBytes(plan::numElements(sampleShape) * elementBytes) {}

  int64_t numSamples() const override {
    return npy.shape().empty() ? 1 : npy.shape()[0];
  }

  void copySample(Pick pick, const plan::Box& box,
                  std::byte* destination) const override {
    const std::byte* elements = npy.elements() + pick.sample * sampleBytes;
    if (isRounded) return roundBox(elements, box, destination);
    tensor::takeBox(elements, sampleShape, box, elementBytes, destination);
  }

  absl::Status check(int64_t sample) const override {
    switch (npy.elementType()) {
      case plan::ElementType::kF32:
      case plan::ElementType::kBF16:
        return checkFinite(sample);
      case plan::ElementType::kI32:
        return checkRange<int32_t>(sample);
      case plan::ElementType::kI64:
        return checkRange<int64_t>(sample);
      case plan::ElementType::kI1:
        return absl::OkStatus();
    }
    return absl::OkStatus();
  }

 private:
  static std::vector<int64_t> shapeOfSample(const std::vector<int64_t>& shape) {
    if (shape.empty()) return {};
    return {shape.begin() + 1, shape.end()};
  }

  /// Takes the box from the f32 of a sample.
  void roundBox(const std::byte* elements, const plan::Box& box,
                std::byte* destination) const {
    auto* rounded = reinterpret_cast<math::BFloat16*>(destination);
    tensor::forEachRow(
        sampleShape, box, [&](int64_t whole, int64_t local, int64_t count) {
          for (int64_t i = 0; i < count; ++i) {
            float number;  // The header may have any length.
            std::memcpy(&number, elements + (whole + i) * sizeof number,
                        sizeof number);
            rounded[local + i] = math::BFloat16(number);
          }
        });
  }

  absl::Status checkFinite(int64_t sample) const {
    const auto found = tensor::findNotFinite(
        npy.elementType(), npy.elements() + sample * sampleBytes,
        sampleBytes / elementBytes);
    if (!found) return absl::OkStatus();
    return error("{}: {}, but input \"{}\" takes finite numbers", path,
                 describe(sample, found->element, found->value), inputName);
  }

  template <typename T>
  absl::Status checkRange(int64_t sample) const {
    if (!below) return absl::OkStatus();
    const std::byte* elements = npy.elements() + sample * sampleBytes;
    for (int64_t i = 0; i < sampleBytes / elementBytes; ++i) {
      T element;  // The header may have any length: it need not be aligned.
      std::memcpy(&element, elements + i * sizeof element, sizeof element);
      // As an unsigned number, a negative one is too large as well.
      if (uint64_t(int64_t{element}) < uint64_t(*below)) continue;
      return error("{}: {}, but input \"{}\" takes integers from 0 to {}", path,
                   describe(sample, i, element), inputName, *below - 1);
    }
    return absl::OkStatus();
  }

  /// Where in the file `value` stands.
  template <typename T>
  std::string describe(int64_t sample, int64_t element, T value) const {
    if (npy.shape().empty()) return fmt::format("it is {}", value);
    if (sampleShape.empty())
      return fmt::format("sample {} is {}", sample, value);
    std::vector<int64_t> place(sampleShape.size());
    for (size_t dim = sampleShape.size(); dim-- > 0;
         element /= sampleShape[dim])
      place[dim] = element % sampleShape[dim];
    return fmt::format("sample {} has {} at [{}]", sample, value,
                       fmt::join(place, ", "));
  }

  NpyFile npy;
  std::string path;
  std::string inputName;
  std::optional<int64_t> below;
  bool isRounded;  // from the file's f32 to bf16
  std::vector<int64_t> sampleShape;
  int64_t elementBytes;
  int64_t sampleBytes;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Source>> openNpySource(
    const std::string& path, const plan::Tensor& input) {
  SBP_ASSIGN_OR_RETURN(NpyFile npy, NpyFile::open(path));
  const std::vector<int64_t>& shape = npy.shape();
  const bool isRounded = npy.elementType() == plan::ElementType::kF32 &&
                         input.elementType == plan::ElementType::kBF16;
  bool fits = shape.size() == input.shape.size() &&
              (isRounded || npy.elementType() == input.elementType);
  for (size_t dim = 1; fits && dim < shape.size(); ++dim)
    fits = shape[dim] == input.shape[dim];
  if (!fits)
    return error(
        "{} holds {}, but input \"{}\" takes {} per batch (the first dimension "
        "of the file is samples, of any number)",
        path, plan::toString(npy.elementType(), shape), input.name,
        plan::toString(input.elementType, input.shape));
  return std::make_unique<NpySource>(std::move(npy), path, input);
}

}  // namespace sbp::data
