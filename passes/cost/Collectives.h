// The cost of a collective on a machine.
//
// Let n be the size of the tensor on a member, before or after the collective,
// whichever is larger. In a group of p members, every member sends a message of
// n/p directly to each other member (two messages in an all-reduce). The
// machine gives the price of a message by collective, group size and message
// size (Network.h).
//
// A message takes the links of the outermost level at which sender and receiver
// differ. In a group of g0 nodes with g1 devices each, a member sends
//
//   (g0 - 1) g1     messages over the links between nodes
//    g1 - 1         messages within its node
//
// and each level has the prices of its own group size, g0 or g1. Over a single
// level the total equals that of a ring (AlphaBeta.h). An algorithm that first
// gathers or reduces within each node sends less between the nodes. Such an
// algorithm is a sequence of several collectives, which boxing finds as a path
// (passes/boxing/Transitions.h).
//
// Small tensors may move together in a bucket: one message from a member to
// another then carries the parts of all these tensors. A bucket is full when it
// takes 8 times as long as an empty one, when it has 64 MiB, or when it has all
// tensors that may share buckets. The price of a tensor is its share, by bytes,
// of the price of a full bucket:
//
//   seconds            _.-'  alone
//      |         __.-o'
//      |  ___.--' .'|
//      |-'    .'    |        in a bucket
//      |   .'       |
//      +.'----------+------- message
//                 full
//
// So the price of a tensor depends on the other tensors only by their total
// size. The prices of all tensors add up to those of their buckets, except that
// the last bucket may not be full.

#ifndef PASSES_COST_COLLECTIVES_H_
#define PASSES_COST_COLLECTIVES_H_

#include <cstdint>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Network.h"

namespace sbp {

/// Traffic of one device over the links of one level of the machine.
struct LevelTraffic {
  int64_t level = 0;  // level number, counted from the outermost
  double bytes = 0;   // sent by the device
  double seconds = 0;
};

/// Whether a tensor moves alone, or, if it is small, in a bucket with others.
class Bucketing {
 public:
  /// Returns the bucketing of a tensor that moves by itself.
  static Bucketing alone() { return Bucketing(0); }

  /// Returns the bucketing of a tensor that moves in a bucket. `totalBytes` is
  /// the total size of all tensors of a function that may share buckets, this
  /// tensor included. Each tensor counts with its whole size, not with that of
  /// a device's part. No bucket is larger.
  static Bucketing inBucket(double totalBytes) { return Bucketing(totalBytes); }

  bool isAlone() const { return totalBytes_ == 0; }
  double totalBytes() const { return totalBytes_; }

  friend bool operator==(Bucketing a, Bucketing b) {
    return a.totalBytes_ == b.totalBytes_;
  }
  friend bool operator<(Bucketing a, Bucketing b) {
    return a.totalBytes_ < b.totalBytes_;
  }

 private:
  explicit Bucketing(double totalBytes) : totalBytes_(totalBytes) {}

  double totalBytes_;
};

/// Returns the traffic of a member in a collective over the mesh axes `axes`,
/// per level that the group spans, innermost first. `bytes` is n: the size of
/// the tensor on a member, before or after the collective, whichever is larger.
llvm::SmallVector<LevelTraffic, 3> collectiveTraffic(
    Collective collective, llvm::ArrayRef<int64_t> axes, double bytes,
    const Mesh& mesh);

/// Returns the traffic of a tensor of `bytes` bytes in a bucket of
/// `bucketBytes` bytes, the tensor included. Seconds are the tensor's share, by
/// bytes, of those of the bucket.
llvm::SmallVector<LevelTraffic, 3> trafficInBucket(Collective collective,
                                                   llvm::ArrayRef<int64_t> axes,
                                                   double bytes,
                                                   double bucketBytes,
                                                   const Mesh& mesh);

/// Returns the seconds of a collective, summed over its levels. Non-decreasing
/// in `bytes`.
double collectiveSeconds(Collective collective, llvm::ArrayRef<int64_t> axes,
                         double bytes, const Mesh& mesh);

/// Returns the size in bytes of a full bucket that moves by `collective` over
/// the mesh axes `axes`. The size of a bucket is the sum of the sizes of its
/// tensors, each measured like `bytes` of collectiveTraffic. A tensor of at
/// least this size moves alone. Returns 0 if `bucketing` is alone.
double fullBucketBytes(Collective collective, llvm::ArrayRef<int64_t> axes,
                       const Mesh& mesh, Bucketing bucketing);

/// Returns the traffic of the slowest member in a halo exchange over the mesh
/// axes `axes` (rank.halo_exchange), where a member receives `lowBytes` from
/// its predecessor and `highBytes` from its successor. If the group spans
/// several levels, the slowest member receives the larger of the two messages
/// over the outermost level, and the other over the innermost. In a group of
/// two, a member has one neighbour: only the larger message counts. A message
/// costs as much as in an all-to-all of two members; an empty message costs
/// nothing.
llvm::SmallVector<LevelTraffic, 3> haloExchangeTraffic(
    llvm::ArrayRef<int64_t> axes, double lowBytes, double highBytes,
    const Mesh& mesh);

/// Returns the sum of the seconds of all levels.
double secondsOf(llvm::ArrayRef<LevelTraffic> traffic);

}  // namespace sbp

#endif  // PASSES_COST_COLLECTIVES_H_
