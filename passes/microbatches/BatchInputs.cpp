#include "passes/microbatches/BatchInputs.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "dialects/nn/Nn.h"
#include "llvm/ADT/SetVector.h"
#include "runtime/text/Counted.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Returns the extent of dimension 0 of each input; 0 for a scalar.
std::vector<int64_t> leadingExtents(FuncOp entry) {
  std::vector<int64_t> extents;
  for (Type type : entry.getArgumentTypes()) {
    ArrayRef<int64_t> shape = llvm::cast<RankedTensorType>(type).getShape();
    extents.push_back(shape.empty() ? 0 : shape.front());
  }
  return extents;
}

/// Returns all extents of results of reshapes in the module of `entry`.
llvm::SmallSetVector<int64_t, 8> extentsOfReshapes(FuncOp entry) {
  llvm::SmallSetVector<int64_t, 8> extents;
  entry->getParentOfType<ModuleOp>().walk([&](nn::ReshapeOp reshape) {
    for (int64_t extent :
         llvm::cast<RankedTensorType>(reshape.getType()).getShape())
      if (extent > 0) extents.insert(extent);
  });
  return extents;
}

/// Returns a choice with the number of samples of `batch`. An input runs over
/// the samples if its leading extent equals their number or, if `several`, is a
/// multiple of it.
BatchInputs choiceOf(ArrayRef<int64_t> extents, Batch batch, bool several) {
  BatchInputs choice{batch, {}};
  for (int64_t extent : extents)
    choice.isDivided.push_back(several ? batch.divides(extent)
                                       : extent == batch.samples);
  return choice;
}

/// Returns a key that is larger for likelier choices. These criteria count, in
/// this order: more inputs run over the samples; more of these have one element
/// per sample; earlier inputs run over the samples; there are more samples.
auto likelihoodOf(const BatchInputs& choice, ArrayRef<int64_t> extents) {
  return std::tuple(llvm::count(choice.isDivided, true),
                    llvm::count(extents, choice.batch.samples),
                    choice.isDivided, choice.batch.samples);
}

mlir::InFlightDiagnostic refuse(FuncOp entry, ArrayRef<int64_t> extents,
                                BatchParts parts) {
  std::string count = std::to_string(parts.microBatches) + " micro-batches";
  if (parts.perMicroBatch > 1)
    count += " of " + std::to_string(parts.perMicroBatch) + " parts each";
  const auto* first = llvm::find_if(extents, [](int64_t e) { return e > 0; });
  if (first == extents.end())
    return entry.emitOpError()
           << "has no input with samples, which " << count << " could divide";
  mlir::BlockArgument input = entry.getArgument(first - extents.begin());
  auto name = entry.getArgAttrOfType<mlir::StringAttr>(input.getArgNumber(),
                                                       nn::kInputAttrName);
  return mlir::emitError(input.getLoc())
         << count << " do not divide the " << text::counted(*first, "sample")
         << " of the input \"" << (name ? name.getValue() : "") << "\"";
}

}  // namespace

FailureOr<std::vector<BatchInputs>> batchInputsOf(FuncOp entry,
                                                  BatchParts parts) {
  const std::vector<int64_t> extents = leadingExtents(entry);
  llvm::SmallSetVector<int64_t, 8> numbersOfSamples(extents.begin(),
                                                    extents.end());
  for (int64_t extent : extentsOfReshapes(entry))
    if (llvm::any_of(extents, [&](int64_t e) { return e % extent == 0; }))
      numbersOfSamples.insert(extent);
  std::vector<BatchInputs> choices;
  for (int64_t samples : numbersOfSamples) {
    if (samples == 0 || samples % parts.count() != 0) continue;
    const Batch batch = {samples, parts.count()};
    const BatchInputs multiples = choiceOf(extents, batch, /*several=*/true);
    const BatchInputs equal = choiceOf(extents, batch, /*several=*/false);
    if (llvm::is_contained(multiples.isDivided, true))
      choices.push_back(multiples);
    if (llvm::is_contained(equal.isDivided, true) &&
        equal.isDivided != multiples.isDivided)
      choices.push_back(equal);
  }
  if (choices.empty()) return refuse(entry, extents, parts);
  std::sort(choices.begin(), choices.end(),
            [&](const BatchInputs& a, const BatchInputs& b) {
              return likelihoodOf(a, extents) > likelihoodOf(b, extents);
            });
  return choices;
}

}  // namespace sbp
