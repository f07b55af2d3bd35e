#include "codegen/cuda/DeviceKernels.h"

#include <utility>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/SumOfSquares.h"
#include "codegen/cuda/ThreadLoops.h"
#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Adds the GPU function `name` with arguments of the types `buffers`, and an
/// empty body.
gpu::GPUFuncOp addFunction(gpu::GPUModuleOp kernels, Location loc,
                           StringRef name, ArrayRef<BufferType> buffers) {
  OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
  SmallVector<Type> types;
  for (const BufferType& buffer : buffers)
    types.push_back(MemRefType::get(buffer.numElements, buffer.element));
  auto kernel = gpu::GPUFuncOp::create(builder, loc, name,
                                       builder.getFunctionType(types, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({kThreadsOfBlock, 1, 1}));
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(plan::kBufferAlignment));
  }
  return kernel;
}

/// Returns the bytes of shared memory that a block of `function` has.
int64_t sharedBytesOf(gpu::GPUFuncOp function) {
  int64_t bytes = 0;
  for (BlockArgument buffer : function.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    bytes += type.getNumElements() *
             llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return bytes;
}

}  // namespace

DeviceKernels::DeviceKernels(MLIRContext* context)
    : module_(ModuleOp::create(UnknownLoc::get(context))) {
  context->loadDialect<arith::ArithDialect, gpu::GPUDialect, math::MathDialect,
                       memref::MemRefDialect, scf::SCFDialect,
                       vector::VectorDialect>();
  OpBuilder builder = OpBuilder::atBlockEnd(module_->getBody());
  kernels_ = gpu::GPUModuleOp::create(builder, module_->getLoc(), "kernels");
}

/// Emits each launch of a kernel as a GPU function of its own.
class DeviceKernels::LaunchFunctions : public Launches {
 public:
  LaunchFunctions(gpu::GPUModuleOp kernels, Operation* op, StringRef name,
                  ArrayRef<BufferType> buffers, SplitArguments splitArguments)
      : kernels_(kernels),
        op_(op),
        name_(name),
        buffers_(buffers),
        splitArguments_(splitArguments) {}

  void add(Body body) override {
    const std::string name =
        launches_.empty()
            ? name_.str()
            : fmt::format("{}_then{}", name_.str(), launches_.size());
    gpu::GPUFuncOp function =
        addFunction(kernels_, op_->getLoc(), name, buffers_);
    KernelBuilder builder(op_->getLoc(), op_->getContext());
    builder.setInsertionPointToStart(&function.getBody().front());
    SmallVector<ElementRef> arguments;
    for (Value argument : function.getArguments().take_front(buffers_.size()))
      arguments.push_back({argument, builder.index(0)});
    const SmallVector<OpBuffers> perOp = splitArguments_(arguments);
    ThreadLoops loops(static_cast<int64_t>(perOp.size()));
    const OpBuffers opBuffers = buffersOfBlock(builder, perOp, loops);
    body(builder, {{opBuffers.operands, opBuffers.results, loops},
                   opBuffers.scratch,
                   loops});
    gpu::ReturnOp::create(builder);
    function.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr(
        {static_cast<int32_t>(loops.numBlocks()), 1, 1}));
    launches_.push_back(
        {name, loops.numBlocks(), kThreadsOfBlock, sharedBytesOf(function)});
    functions_.push_back(function);
  }

  const SmallVector<Operation*>& functions() const { return functions_; }
  std::vector<plan::Launch> take() { return std::move(launches_); }

 private:
  /// Returns the buffers of the op that the current block computes, if a launch
  /// runs several ops: emits a switch over the number of the op.
  static OpBuffers buffersOfBlock(KernelBuilder& builder,
                                  ArrayRef<OpBuffers> perOp,
                                  ThreadLoops& loops) {
    if (perOp.size() == 1) return perOp.front();
    auto buffersOf = [](const OpBuffers& opBuffers) {
      SmallVector<Value> buffers;
      for (const ElementRef& ref : opBuffers.operands)
        buffers.push_back(ref.buffer);
      for (const ElementRef& ref : opBuffers.results)
        buffers.push_back(ref.buffer);
      return buffers;
    };
    auto cases = llvm::to_vector(llvm::seq<int64_t>(0, perOp.size() - 1));
    auto chosen = scf::IndexSwitchOp::create(
        builder, TypeRange(buffersOf(perOp.front())), loops.opOfBlock(builder),
        cases, cases.size());
    auto yieldBuffers = [&](Region& region, const OpBuffers& opBuffers) {
      OpBuilder::InsertionGuard guard(builder);
      builder.createBlock(&region);
      scf::YieldOp::create(builder, buffersOf(opBuffers));
    };
    for (auto [region, opBuffers] :
         llvm::zip(chosen.getCaseRegions(), perOp.drop_back()))
      yieldBuffers(region, opBuffers);
    yieldBuffers(chosen.getDefaultRegion(), perOp.back());
    OpBuffers result = perOp.front();
    auto buffers = chosen.getResults().begin();
    for (ElementRef& ref : result.operands) ref.buffer = *buffers++;
    for (ElementRef& ref : result.results) ref.buffer = *buffers++;
    return result;
  }

  gpu::GPUModuleOp kernels_;
  Operation* op_;
  StringRef name_;
  ArrayRef<BufferType> buffers_;
  SplitArguments splitArguments_;
  std::vector<plan::Launch> launches_;
  SmallVector<Operation*> functions_;
};

std::optional<plan::Launch> DeviceKernels::squaresOf(
    RankedTensorType gradient) {
  const int64_t numElements = gradient.getNumElements();
  const Type element = gradient.getElementType();
  auto [known, isNew] =
      squares_.try_emplace({element.getAsOpaquePointer(), numElements});
  if (!isNew) return known->second;
  const Location loc = kernels_.getLoc();
  KernelBuilder builder(loc, loc.getContext());
  const int64_t numBlocks = blocksOfSquares(numElements);
  const std::string name =
      fmt::format("sum_of_squares_{}", squares_.size() - 1);
  gpu::GPUFuncOp function =
      addFunction(kernels_, loc, name,
                  {{element, numElements}, {builder.getF64Type(), numBlocks}});
  builder.setInsertionPointToStart(&function.getBody().front());
  const auto argument = [&](unsigned number) -> ElementRef {
    return {function.getArgument(number), builder.index(0)};
  };
  sumSquares(builder, argument(0), numElements, argument(1));
  gpu::ReturnOp::create(builder);
  function.setKnownGridSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(numBlocks), 1, 1}));
  known->second = {name, numBlocks, kThreadsOfBlock, sharedBytesOf(function)};
  return known->second;
}

SmallVector<Operation*> DeviceKernels::addKernel(
    Operation* op, StringRef name, ArrayRef<BufferType> buffers,
    SplitArguments splitArguments) {
  LaunchFunctions functions(kernels_, op, name, buffers, splitArguments);
  CudaKernel::of(op)->build(functions);
  launches_.push_back(functions.take());
  return functions.functions();
}

}  // namespace sbp::cuda
