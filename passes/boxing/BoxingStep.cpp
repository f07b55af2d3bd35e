#include "passes/boxing/BoxingStep.h"

#include <cassert>

#include "llvm/Support/ErrorHandling.h"

namespace sbp {

llvm::StringRef stringOf(StepKind kind) {
  switch (kind) {
    case StepKind::AllReduce:
      return "all_reduce";
    case StepKind::AllGather:
      return "all_gather";
    case StepKind::ReduceScatter:
      return "reduce_scatter";
    case StepKind::AllToAll:
      return "all_to_all";
    case StepKind::Slice:
      return "slice";
    case StepKind::Pad:
      return "pad";
    case StepKind::ToPartial:
      return "to_partial";
  }
  llvm_unreachable("a step is one of seven kinds");
}

StepKind stepKindOf(Component from, Component to) {
  assert(from != to && "a step changes something");
  switch (from.kind()) {
    case Component::Kind::Broadcast:
      return to.isSplit() ? StepKind::Slice : StepKind::ToPartial;
    case Component::Kind::Split:
      if (to.isSplit()) return StepKind::AllToAll;
      return to.isPartial() ? StepKind::Pad : StepKind::AllGather;
    case Component::Kind::Partial:
      assert(!to.isPartial() && "no step changes the reduction");
      return to.isSplit() ? StepKind::ReduceScatter : StepKind::AllReduce;
  }
  llvm_unreachable("a component is one of three kinds");
}

}  // namespace sbp
