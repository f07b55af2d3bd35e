#include "codegen/cuda/DeviceKernels.h"

#include <utility>

#include "codegen/cuda/KernelOp.h"
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
                  ArrayRef<BufferType> buffers, PlacesOf placesOf)
      : kernels_(kernels),
        op_(op),
        name_(name),
        buffers_(buffers),
        placesOf_(placesOf) {}

  void add(Body body) override {
    const std::string name =
        launches_.empty()
            ? name_.str()
            : fmt::format("{}_then{}", name_.str(), launches_.size());
    gpu::GPUFuncOp function =
        addFunction(kernels_, op_->getLoc(), name, buffers_);
    KernelBuilder builder(op_->getLoc(), op_->getContext());
    builder.setInsertionPointToStart(&function.getBody().front());
    SmallVector<Place> arguments;
    for (Value argument : function.getArguments().take_front(buffers_.size()))
      arguments.push_back({argument, builder.index(0)});
    const SmallVector<Places> ofOps = placesOf_(arguments);
    ThreadLoops loops(static_cast<int64_t>(ofOps.size()));
    const Places places = placesOfBlock(builder, ofOps, loops);
    body(builder,
         {{places.operands, places.results, loops}, places.scratch, loops});
    gpu::ReturnOp::create(builder);
    function.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr(
        {static_cast<int32_t>(loops.numBlocks()), 1, 1}));
    launches_.push_back(
        {name, loops.numBlocks(), kThreadsOfBlock, sharedBytesOf(function)});
  }

  std::vector<plan::Launch> take() { return std::move(launches_); }

 private:
  /// Returns the buffers of the op that the current block computes, if a launch
  /// runs several ops: emits a switch over the number of the op.
  static Places placesOfBlock(KernelBuilder& builder, ArrayRef<Places> ofOps,
                              ThreadLoops& loops) {
    if (ofOps.size() == 1) return ofOps.front();
    auto buffersOf = [](const Places& places) {
      SmallVector<Value> buffers;
      for (const Place& place : places.operands)
        buffers.push_back(place.buffer);
      for (const Place& place : places.results) buffers.push_back(place.buffer);
      return buffers;
    };
    auto cases = llvm::to_vector(llvm::seq<int64_t>(0, ofOps.size() - 1));
    auto chosen = scf::IndexSwitchOp::create(
        builder, TypeRange(buffersOf(ofOps.front())), loops.opOfBlock(builder),
        cases, cases.size());
    auto yieldBuffers = [&](Region& region, const Places& places) {
      OpBuilder::InsertionGuard guard(builder);
      builder.createBlock(&region);
      scf::YieldOp::create(builder, buffersOf(places));
    };
    for (auto [region, places] :
         llvm::zip(chosen.getCaseRegions(), ofOps.drop_back()))
      yieldBuffers(region, places);
    yieldBuffers(chosen.getDefaultRegion(), ofOps.back());
    Places result = ofOps.front();
    auto buffers = chosen.getResults().begin();
    for (Place& place : result.operands) place.buffer = *buffers++;
    for (Place& place : result.results) place.buffer = *buffers++;
    return result;
  }

  gpu::GPUModuleOp kernels_;
  Operation* op_;
  StringRef name_;
  ArrayRef<BufferType> buffers_;
  PlacesOf placesOf_;
  std::vector<plan::Launch> launches_;
};

void DeviceKernels::addKernel(Operation* op, StringRef name,
                              ArrayRef<BufferType> buffers, PlacesOf placesOf) {
  LaunchFunctions functions(kernels_, op, name, buffers, placesOf);
  CudaKernel::of(op)->build(functions);
  launches_.push_back(functions.take());
}

}  // namespace sbp::cuda
