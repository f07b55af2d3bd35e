#include "runtime/plan/Tasks.h"

namespace sbp::plan {

bool isLocal(CollectiveTask::Kind kind) {
  using Kind = CollectiveTask::Kind;
  switch (kind) {
    case Kind::kAllReduce:
    case Kind::kAllGather:
    case Kind::kReduceScatter:
    case Kind::kAllToAll:
    case Kind::kHaloExchange:
      return false;
    case Kind::kSlice:
    case Kind::kPad:
    case Kind::kToPartial:
    case Kind::kOffset:
      return true;
  }
  return true;
}

}  // namespace sbp::plan
