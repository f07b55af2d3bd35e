// Where the threads of a group of ranks meet.
//
// Each member of a group brings the op that it stands at and a tensor; when the
// last has come, all leave with the tensors of all. The order in which a rank
// comes to the meetings of a group is its program's order, so no meeting needs
// a number.
//
// What goes from group to group is left for those who want it: the sender goes
// on at once, and a receiver waits until all whom it names have left theirs.
//
// Nobody waits forever. A rank that fails ends the waiting of all others. And
// when every rank that has not returned is waiting, nothing can ever happen
// again: that is noticed at once, by counting, and is an error that says who
// waits for whom.

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

/// What a rank brings to a meeting.
struct Contribution {
  int64_t rank = 0;
  Operation* op = nullptr;
  Tensor tensor;
};

/// The meetings of `numRanks` ranks, each a thread, all running at first.
class Rendezvous {
 public:
  explicit Rendezvous(int64_t numRanks) : numRunning_(numRanks) {}

  /// Brings `mine` to a meeting of `members`, which are ranks, its own among
  /// them, and waits for the others. Returns what they brought, in the order of
  /// `members`. Fails when a rank fails, without a diagnostic; with one
  /// diagnostic when no rank can go on.
  FailureOr<std::vector<Contribution>> meet(ArrayRef<int64_t> members,
                                            const Contribution& mine);

  /// Leaves `mine` under `name` and `number` for whoever wants it. Fails with a
  /// diagnostic where the rank has done so before.
  LogicalResult post(Attribute name, int64_t number, const Contribution& mine);

  /// Waits until each of `ranks` has left something under `name` and `number`,
  /// and returns that, in the order of `ranks`. `rank` is who waits, at `op`.
  /// Fails as meet() does.
  FailureOr<std::vector<Contribution>> collect(Attribute name, int64_t number,
                                               ArrayRef<int64_t> ranks,
                                               int64_t rank, Operation* op);

  /// The rank has returned and will meet nobody any more.
  void leave();

  /// The rank has failed, and so does everyone.
  void fail();

 private:
  struct Meeting {
    std::map<int64_t, Contribution> arrived;  // by rank
    bool isComplete = false;
  };
  using Members = std::vector<int64_t>;

  /// A rank that waits for what others leave.
  struct Expectation {
    Attribute name;
    int64_t number = 0;
    Members ranks;
    int64_t rank = 0;
    Operation* op = nullptr;
    bool isMet = false;
  };

  /// What `rank` has left; null if it has not.
  const Contribution* posted(Attribute name, int64_t number,
                             int64_t rank) const;

  /// One rank less runs; when it was the last one, nobody can go on.
  void stopOne();
  /// The diagnostic that says who waits for whom.
  void reportStandstill();

  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t numRunning_;
  bool hasFailed_ = false;
  std::map<Members, std::shared_ptr<Meeting>> open_;
  /// What each rank has left, by name, number and rank.
  std::map<std::tuple<const void*, int64_t, int64_t>, Contribution> posted_;
  std::vector<std::shared_ptr<Expectation>> expectations_;  // not met
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RENDEZVOUS_H_
