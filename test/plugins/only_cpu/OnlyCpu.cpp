// A plug-in whose op has a kernel for CPUs alone.

#include "codegen/cpu/KernelOp.h"
#include "codegen/plugin/Plugin.h"
#include "dialects/sbp/OpBase.h"
#include "test/plugins/only_cpu/OnlyCpu.h.inc"

#define GET_OP_CLASSES
#include "test/plugins/only_cpu/OnlyCpuOps.h.inc"

// Must follow the declarations.
#include "test/plugins/only_cpu/OnlyCpu.cpp.inc"

#define GET_OP_CLASSES
#include "test/plugins/only_cpu/OnlyCpuOps.cpp.inc"

namespace sbp::only_cpu {

void OnlyCpuDialect::initialize() { addOperations<CopyOp>(); }

LoopNest CopyOp::getLoopNest() {
  LoopNest nest;
  TensorLoops loops;
  for (int64_t extent : getInput().getType().getShape())
    loops.push_back(nest.addLoop(Loop::parallel(extent)));
  nest.operands = {loops};
  nest.results = {loops};
  return nest;
}

void CopyOp::buildKernel(KernelBuilder& builder,
                         const cpu::KernelArguments& arguments) {
  arguments.loops.copy(builder, getInput().getType().getShape(),
                       dense(getInput(), arguments.operands[0]),
                       dense(getResult(), arguments.results[0]));
}

}  // namespace sbp::only_cpu

SBP_DIALECT_PLUGIN("only_cpu", "1", [](mlir::DialectRegistry* registry) {
  registry->insert<sbp::only_cpu::OnlyCpuDialect>();
})
