// Of which task of the pipeline each op is that stands between calls of stages.
//
// What is repeated for each micro-batch calls the functions of stages, each of
// which is one task of the pipeline: the forward of stage 1 is "1F". What
// stands between the calls goes with one of them, so that tasks can be run in
// another order than that of the text:
//
//   %x = nn.part %k of %xs                    0F: it is taken there
//   %h, %s = call @stage0.forward(%x, %w)     0F
//   %h1 = sbp.box %h -> @back                 1F, which receives it; 0F sends
//   it %y = call @stage1.forward(%h1, ...)       1F %sum = nn.add %carried, %y
//   1F: it is made there
//
// An op is of the latest task on its own group that makes what it takes. Where
// none does, and of a box between groups, it is of the earliest that takes what
// it makes. Every rank of a group has the same ops in a task. What lies on the
// whole machine is of none: each rank has it with what takes it there.

#ifndef PASSES_STAGES_STAGETASKS_H_
#define PASSES_STAGES_STAGETASKS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

class StageTasks {
 public:
  /// None.
  StageTasks() = default;
  /// Of the functions that `module`, a boxed program, repeats.
  explicit StageTasks(ModuleOp module);

  /// The task of `op`, such as "1F"; null if it is of none.
  mlir::StringAttr of(Operation* op) const { return tasks_.lookup(op); }

 private:
  llvm::DenseMap<Operation*, mlir::StringAttr> tasks_;
};

/// The task that `function` says it is; null if it is none of a stage.
mlir::StringAttr taskOf(mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_STAGES_STAGETASKS_H_
