#include "passes/localize/VerifyTransfers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/module/CallCounts.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;

/// One rank's end of a transfer, and how often a run of an entry uses it.
struct End {
  int64_t rank;
  bool isSending;
  int64_t times;

  /// "sent 2 times by rank 0".
  std::string str() const {
    return (isSending ? "sent " : "received ") + text::counted(times, "time") +
           " by rank " + std::to_string(rank);
  }
};

class TransferVerifier {
 public:
  explicit TransferVerifier(ModuleOp module) : module_(module) {
    for (auto program : module_.getOps<rank::ProgramOp>()) {
      for (int64_t rank : program.getRanks()) programOf_[rank] = program;
      const mlir::SymbolTable symbols(program);
      for (auto entry : program.getBody().getOps<FuncOp>())
        if (entry.isPublic()) count(entry, program, symbols);
    }
  }

  LogicalResult run() {
    for (auto transfer : module_.getOps<rank::TransferOp>())
      for (StringRef entry : entries_)
        if (failed(verify(transfer, entry))) return failure();
    return success();
  }

 private:
  /// Counts the sends and receives of `program` in a run of `entry`.
  void count(FuncOp entry, Operation* program,
             const mlir::SymbolTable& symbols) {
    if (!llvm::is_contained(entries_, entry.getName()))
      entries_.push_back(entry.getName());
    for (auto [function, times] : callCounts(entry, symbols))
      for (Operation& op : function.getBody().front())
        if (llvm::isa<rank::SendOp, rank::ReceiveOp>(op))
          times_[{rank::transferOf(&op), entry.getName()}]
                [{program, llvm::isa<rank::SendOp>(op)}] += times;
  }

  LogicalResult verify(rank::TransferOp transfer, StringRef entry) {
    auto times = times_.find({transfer, entry});
    if (times == times_.end()) return success();
    std::optional<End> first;
    for (bool isSending : {true, false}) {
      Type type = isSending ? transfer.getSource() : transfer.getTarget();
      FailureOr<Mesh> group =
          lookupMesh(transfer, NdSbpAttr::of(type).getMesh());
      if (failed(group)) return failure();
      for (int64_t place = 0; place < group->numRanks(); ++place) {
        const int64_t rank = group->rankAt(place);
        const End end = {rank, isSending,
                         times->second[{programOf_.lookup(rank), isSending}]};
        if (!first) first = end;
        if (end.times != first->times)
          return transfer.emitOpError() << "is " << first->str() << ", but "
                                        << end.str() << ", in @" << entry;
      }
    }
    return success();
  }

  ModuleOp module_;
  llvm::DenseMap<int64_t, Operation*> programOf_;  // by rank
  SmallVector<StringRef> entries_;
  /// Number of sends (true) or receives (false) of each program in a run, by
  /// transfer and entry.
  std::map<std::pair<Operation*, StringRef>,
           std::map<std::pair<Operation*, bool>, int64_t>>
      times_;
};

}  // namespace

LogicalResult verifyTransfers(ModuleOp module) {
  return TransferVerifier(module).run();
}

}  // namespace sbp
