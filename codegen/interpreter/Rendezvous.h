// Synchronises the threads of ranks, for collectives and transfers.
//
// In an exchange each member of a group brings a tensor and the op that it is
// at, and blocks until the last member has arrived. Then each member gets the
// tensors of all members. The members come to the exchanges of their group in
// the same order, that of their programs, so exchanges need no numbers.
//
// A transfer between groups does not block a sender, which posts its tensor and
// goes on. A receiver blocks until all senders that it names have posted their
// tensors.
//
// No rank blocks for ever. If a rank fails, all blocked ranks fail. If every
// rank that has not returned is blocked, no rank can ever go on. This is
// detected at once, by counting the ranks that are running. Then one diagnostic
// says where the lowest blocked rank waits, and for which ranks.

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

  /// Brings `mine` to an exchange of the ranks `members`, which include
  /// `mine.rank`, and blocks until all have arrived. All members must list the
  /// ranks in the same order. Returns their contributions in this order. Fails
  /// without a diagnostic if a rank has called fail(). If no rank can go on,
  /// one of them emits a diagnostic, and the calls of all blocked ranks fail.
  FailureOr<std::vector<Contribution>> exchange(ArrayRef<int64_t> members,
                                                const Contribution& mine);

  /// Posts `mine` as the part of rank `mine.rank` in the transfer `name` for
  /// micro-batch `microBatch`. Does not wait for a receiver. Fails with a
  /// diagnostic if the rank has posted this part before.
  LogicalResult post(Attribute name, int64_t microBatch,
                     const Contribution& mine);

  /// Blocks until each of `ranks` has posted its part of the transfer `name`
  /// for micro-batch `microBatch`, and returns the parts in the order of
  /// `ranks`. `rank` is the receiver, and `op` the op at which it receives.
  /// Fails as exchange() does.
  FailureOr<std::vector<Contribution>> collect(Attribute name,
                                               int64_t microBatch,
                                               ArrayRef<int64_t> ranks,
                                               int64_t rank, Operation* op);

  /// Notes that a rank has returned: it does not call this object again.
  void leave();

  /// Notes that a rank has failed. Blocked and later calls of exchange() and
  /// collect() fail.
  void fail();

 private:
  /// An exchange that some members have come to, or all.
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

  /// Returns the part that `rank` has posted, or null if it has posted none
  /// yet. The caller of this and the next two functions holds `mutex_`.
  const Contribution* posted(Attribute name, int64_t microBatch,
                             int64_t rank) const;

  /// Decrements the number of running ranks. If no rank is running any more,
  /// but some are blocked, emits a diagnostic and makes the calls of the
  /// blocked ranks fail.
  void stopRunning();
  /// Emits the diagnostic, which names the lowest blocked rank and the ranks
  /// that it waits for.
  void reportStandstill();

  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t numRunning_;  // ranks that have not returned and are not blocked
  bool hasFailed_ = false;
  std::map<Members, std::shared_ptr<Exchange>> open_;  // not complete yet
  /// Posted parts, by transfer, micro-batch and rank.
  std::map<std::tuple<const void*, int64_t, int64_t>, Contribution> posted_;
  std::vector<std::shared_ptr<Expectation>> expectations_;  // blocked receivers
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RENDEZVOUS_H_
