#include "codegen/cuda/testing/RecordedKernels.h"

#include <utility>

#include "codegen/plan/ElementTypes.h"
#include "gtest/gtest.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

RecordedKernels::RecordedKernels(std::unique_ptr<RunnableKernels> kernels,
                                 const std::vector<mlir::Operation*>& ops,
                                 std::vector<OpKernel> launched,
                                 KernelTrials trials, std::string path)
    : kernels_(std::move(kernels)),
      launched_(std::move(launched)),
      trials_(std::move(trials)),
      path_(std::move(path)) {
  for (mlir::Operation* op : ops) {
    std::vector<plan::ElementType>& types = types_.emplace_back();
    const auto add = [&](mlir::TypeRange added) {
      for (mlir::Type type : added)
        types.push_back(
            *planElementType(op, llvm::cast<mlir::RankedTensorType>(type)));
    };
    add(op->getOperandTypes());
    add(op->getResultTypes());
  }
}

RecordedKernels::~RecordedKernels() {
  if (trials_.all.empty()) return;
  const absl::Status written = trials_.write(path_);
  EXPECT_TRUE(written.ok()) << std::string(written.message());
}

std::optional<plan::ElementType> RecordedKernels::typeOf(size_t op,
                                                         size_t buffer) const {
  if (buffer >= types_[op].size()) return std::nullopt;
  return types_[op][buffer];
}

std::string RecordedKernels::run(size_t op,
                                 const std::vector<Buffer>& buffers) {
  const auto bytesOf = [](const Buffer& buffer) {
    return std::string(static_cast<const char*>(buffer.begin), buffer.bytes);
  };
  KernelTrial trial;
  trial.name = launched_[op].name;
  trial.launches = launched_[op].launches;
  for (size_t i = 0; i < buffers.size(); ++i)
    trial.buffers.push_back({typeOf(op, i), bytesOf(buffers[i]), {}});
  std::string wrong = kernels_->run(op, buffers);
  for (size_t i = 0; i < buffers.size(); ++i)
    trial.buffers[i].after = bytesOf(buffers[i]);
  trials_.all.push_back(std::move(trial));
  return wrong;
}

}  // namespace sbp::cuda
