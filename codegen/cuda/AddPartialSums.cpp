#include "codegen/cuda/AddPartialSums.h"

#include "codegen/cuda/VectorAccess.h"

namespace sbp::cuda {

using namespace mlir;

void addPartialSums(KernelBuilder& builder, ThreadLoops& threads,
                    ElementRef parts, int64_t numParts, int64_t numSums,
                    llvm::function_ref<void(Value, Value)> store) {
  threads.forEachItem(builder, numSums, /*threads=*/1, [&](Value number) {
    Value zero = builder.number(computeType(parts.elementType()), 0);
    Value sum = builder.loop(
        builder.index(0), builder.index(numParts), 1, zero,
        [&](Value part, ValueRange carried) -> SmallVector<Value> {
          ElementRef ref = builder.at(parts, builder.mul(part, numSums));
          Value term = loadOne(builder, builder.at(ref, number));
          return {arith::AddFOp::create(builder, carried[0], term)};
        })[0];
    store(number, sum);
  });
}

}  // namespace sbp::cuda
