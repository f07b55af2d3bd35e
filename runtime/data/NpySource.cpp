#include <utility>

#include "runtime/data/Npy.h"
#include "runtime/data/Source.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Rows.h"

namespace sbp::data {
namespace {

class NpySource : public Source {
 public:
  explicit NpySource(NpyFile npy)
      : npy(std::move(npy)),
        sampleShape(shapeOfSample(this->npy.shape())),
        elementBytes(plan::byteWidth(this->npy.elementType())),
        sampleBytes(plan::numElements(sampleShape) * elementBytes) {}

  int64_t numSamples() const override {
    return npy.shape().empty() ? 1 : npy.shape()[0];
  }

  void copySample(Pick pick, const plan::Box& box,
                  std::byte* destination) const override {
    tensor::takeBox(npy.elements() + pick.sample * sampleBytes, sampleShape,
                    box, elementBytes, destination);
  }

 private:
  static std::vector<int64_t> shapeOfSample(const std::vector<int64_t>& shape) {
    if (shape.empty()) return {};
    return {shape.begin() + 1, shape.end()};
  }

  NpyFile npy;
  std::vector<int64_t> sampleShape;
  int64_t elementBytes;
  int64_t sampleBytes;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Source>> openNpySource(
    const std::string& path, const plan::Tensor& input) {
  SBP_ASSIGN_OR_RETURN(NpyFile npy, NpyFile::open(path));
  const std::vector<int64_t>& shape = npy.shape();
  bool fits = shape.size() == input.shape.size() &&
              npy.elementType() == input.elementType;
  for (size_t dim = 1; fits && dim < shape.size(); ++dim)
    fits = shape[dim] == input.shape[dim];
  if (!fits)
    return error(
        "{} holds {}, but input \"{}\" takes {} per batch (the first dimension "
        "of the file is samples, of any number)",
        path, plan::toString(npy.elementType(), shape), input.name,
        plan::toString(input.elementType, input.shape));
  return std::make_unique<NpySource>(std::move(npy));
}

}  // namespace sbp::data
