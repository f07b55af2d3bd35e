#include "passes/explain/BoxBuckets.h"

#include <optional>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Cost.h"

namespace sbp {

BoxBuckets::BoxBuckets(mlir::func::FuncOp function,
                       const GroupTransitions& transitions) {
  // Steps may share a bucket if they agree in group, kind, axes, element type
  // and number within their boxing.
  using Key = std::tuple<const void*, StepKind, std::vector<int64_t>,
                         const void*, size_t>;
  std::map<Key, size_t> open;
  for (auto box : function.getBody().front().getOps<BoxOp>()) {
    if (box.crosses()) continue;
    auto type = llvm::cast<RankedTensorType>(box.getType());
    mlir::FlatSymbolRefAttr name = NdSbpAttr::of(type).getMesh();
    const Mesh& mesh = transitions.table(name).mesh();
    for (auto [index, sized] : llvm::enumerate(transitions.steps(box))) {
      const BoxingStep& step = sized.step;
      const auto bytes = static_cast<double>(sized.largestBytes());
      const std::optional<Collective> collective = collectiveOf(step.kind());
      const double full = collective
                              ? fullBucketBytes(*collective, step.axes, mesh,
                                                transitions.bucketingOf(box))
                              : 0;
      size_t& bucket = buckets_[{box, index}];
      bucket = bytes_.size();
      bytes_.push_back(bytes);
      if (bytes >= full) continue;
      const Key key(name.getAsOpaquePointer(), step.kind(),
                    {step.axes.begin(), step.axes.end()},
                    type.getElementType().getAsOpaquePointer(), index);
      auto [known, isNew] = open.try_emplace(key, bucket);
      if (isNew) continue;
      if (bytes_[known->second] + bytes > full) {
        known->second = bucket;
        continue;
      }
      bytes_.pop_back();
      bucket = known->second;
      bytes_[bucket] += bytes;
    }
  }
}

double BoxBuckets::bytesOf(BoxOp box, size_t step) const {
  return bytes_[buckets_.at({box, step})];
}

}  // namespace sbp
