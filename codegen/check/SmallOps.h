// Small instances of an op, at shapes that its verifier accepts.

#ifndef CODEGEN_CHECK_SMALLOPS_H_
#define CODEGEN_CHECK_SMALLOPS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "codegen/check/OpTrial.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::check {

/// Draws ops by trial: the op's verifier decides which shapes, operands and
/// attributes go together. Owns the ops. Draws are the same in each run.
class SmallOps {
 public:
  explicit SmallOps(MLIRContext* context);

  /// Returns at most `count` ops with the name and the attributes of `op`, at
  /// different small shapes, smallest first. Dimensions over which one loop of
  /// the op (LoopNest.h) runs change together, and so do dimensions of equal
  /// extent over which no loop runs. If the verifier accepts no smaller shapes,
  /// returns one op of the shapes of `op` itself, unless it is too large to
  /// run.
  std::vector<Operation*> like(Operation* op, size_t count);

  /// Returns at most `count` ops named `name`, with operands, shapes and
  /// attributes drawn at random, smallest first; none if the verifier accepts
  /// none of 20,000 draws. If the number of operands may differ, no number
  /// occurs in more than about half of the ops.
  std::vector<Operation*> named(mlir::RegisteredOperationName name,
                                size_t count);

  /// Returns the refusal of the op that was refused last; null if none was.
  const Refusal* lastRefusal() const { return refusal_ ? &*refusal_ : nullptr; }
  /// Returns the first refusal that has a misfit (Refusal::misfit); null if
  /// there is none.
  const Refusal* misfit() const { return misfit_ ? &*misfit_ : nullptr; }
  /// Returns the op that was tried last, for a message if its code crashed;
  /// null if none was tried.
  const OpTrial* lastTried() const { return tried_ ? &*tried_ : nullptr; }

 private:
  class Accepted;

  /// Adds the op of `trial` to the module, and returns it; null if it is
  /// refused.
  Operation* add(const OpTrial& trial);

  mlir::OwningOpRef<ModuleOp> module_;
  std::optional<Refusal> refusal_, misfit_;
  std::optional<OpTrial> tried_;
};

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_SMALLOPS_H_
