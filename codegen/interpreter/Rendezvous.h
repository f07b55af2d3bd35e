// Synchronises the threads of ranks, for collectives and transfers.
//
// In an exchange each member of a group brings the op that it is at and a
// tensor, and blocks until the last member has arrived; then each gets the
// tensors of all. A rank comes to the exchanges of a group in its program's
// order, so exchanges need no numbers.
//
// A transfer between groups does not block the sender: it posts its tensor and
// goes on. A receiver blocks until all senders that it names have posted
// theirs.
//
// No rank blocks for ever. If a rank fails, all blocked ranks fail. If every
// rank that has not returned is blocked, none can ever go on: counting the
// running ranks detects that at once, and one diagnostic says who waits for
// whom.

#ifndef CODEGEN_INTERPRETER_RENDEZVOUS_H_
#define CODEGEN_INTERPRETER_RENDEZVOUS_H_

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

/// The tensor that a rank brings to an exchange or a transfer, and the op.
struct Contribution {
  int64_t rank = 0;
  Operation* op = nullptr;
  Tensor tensor;
};

/// The exchanges and transfers of some ranks. Each rank is a thread; all
/// threads may call the functions at the same time.
class Rendezvous {
 public:
  /// Begins with `numRanks` running ranks.
  explicit Rendezvous(int64_t numRanks) : numRunning_(numRanks) {}

  /// Brings `mine` to an exchange of the ranks `members`, which include its
  /// own, and blocks until all have arrived. All members must list them in the
  /// same order. Returns their contributions in this order. Fails without a
  /// diagnostic if any rank fails. If no rank can go on, one diagnostic is
  /// emitted, and the call fails on all ranks.
  FailureOr<std::vector<Contribution>> exchange(ArrayRef<int64_t> members,
                                                const Contribution& mine);

  /// Posts `mine` as this rank's part of transfer `name` of micro-batch
  /// `microBatch`. Does not wait for a receiver. Fails with a diagnostic if the
  /// rank has posted that before.
  LogicalResult post(Attribute name, int64_t microBatch,
                     const Contribution& mine);

  /// Blocks until each of `ranks` has posted its part of transfer `name` of
  /// micro-batch `microBatch`, and returns the parts in the order of `ranks`.
  /// `rank` is the receiver, at `op`. Fails as exchange() does.
  FailureOr<std::vector<Contribution>> collect(Attribute name,
                                               int64_t microBatch,
                                               ArrayRef<int64_t> ranks,
                                               int64_t rank, Operation* op);

  /// Notes that a rank has returned, and takes part no more.
  void leave();

  /// Notes that a rank has failed, and makes all others fail.
  void fail();

 private:
  /// An exchange that some members have come to.
  struct Exchange {
    std::map<int64_t, Contribution> arrived;  // by rank
    bool isComplete = false;
  };
  using Members = std::vector<int64_t>;

  /// A receiver that is blocked until all of `ranks` have posted.
  struct Expectation {
    Attribute name;
    int64_t microBatch = 0;
    Members ranks;
    int64_t rank = 0;
    Operation* op = nullptr;
    bool isMet = false;
  };

  /// Returns the part that `rank` has posted; null if it has not posted it yet.
  const Contribution* posted(Attribute name, int64_t microBatch,
                             int64_t rank) const;

  /// Counts one running rank less. If no rank is running then, but some are
  /// blocked, reports that, and makes them fail.
  void stopRunning();
  /// Emits the diagnostic that says who waits for whom.
  void reportStandstill();

  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t numRunning_;
  bool hasFailed_ = false;
  std::map<Members, std::shared_ptr<Exchange>> open_;
  /// Posted parts, by transfer, micro-batch and rank.
  std::map<std::tuple<const void*, int64_t, int64_t>, Contribution> posted_;
  std::vector<std::shared_ptr<Expectation>> expectations_;  // blocked receivers
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RENDEZVOUS_H_
