// What a collective costs on a machine.
//
// Members exchange with each other directly: each sends every other a message,
// a p-th of n in a group of p (in an all-reduce two of them). The machine says
// what a message costs, by collective, group size and message size (Network.h).
//
// A message takes the links of the outermost level in which its two ends stand
// apart. In a group of g0 nodes and g1 devices of each, a member sends
//
//   (g0 - 1) g1     messages over the links between nodes
//    g1 - 1         messages within its node
//
// and a level's prices are those for its own part of the group, g0 or g1. Over
// one level that is what a ring takes as well (AlphaBeta.h). A collective that
// first gathers or reduces in each node, and sends less between them, is not
// one collective but several: the boxing finds it as a path.
//
// Small tensors may travel together, in a bucket: a member sends what it has
// for another one of all of them in one message. A bucket is full when latency
// is a small part of what that takes, and each tensor pays for its part of a
// full one:
//
//   seconds            _.-'  alone
//      |         __.-o'
//      |  ___.--' .'|
//      |-'    .'    |        in a bucket
//      |   .'       |
//      +.'----------+------- message
//                 full
//
// So what a tensor costs does not depend on the others, and all of them cost
// what their buckets do, but for the last one, which may not be full.

#ifndef PASSES_COST_COLLECTIVES_H_
#define PASSES_COST_COLLECTIVES_H_

#include <cstdint>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Network.h"

namespace sbp {

/// What one device sends over the links of one level of the machine.
struct LevelTraffic {
  int64_t level = 0;  // counted from the outermost
  double bytes = 0;
  double seconds = 0;
};

/// How a tensor travels: by itself, or in a bucket if it is small.
class Travel {
 public:
  static Travel alone() { return Travel(0); }

  /// In a bucket of some tensors of a program that may travel so. All of them,
  /// whole, its own included, have `bytes`: no bucket has more.
  static Travel amongBytes(double bytes) { return Travel(bytes); }

  bool isAlone() const { return amongBytes_ == 0; }
  double amongBytes() const { return amongBytes_; }

  friend bool operator==(Travel a, Travel b) {
    return a.amongBytes_ == b.amongBytes_;
  }
  friend bool operator<(Travel a, Travel b) {
    return a.amongBytes_ < b.amongBytes_;
  }

 private:
  explicit Travel(double amongBytes) : amongBytes_(amongBytes) {}

  double amongBytes_;
};

/// What a member sends in a collective over the mesh axes `axes`, where `bytes`
/// is what it holds where it holds most: per level that the group spans,
/// innermost first.
llvm::SmallVector<LevelTraffic, 3> collectiveTraffic(
    Collective collective, llvm::ArrayRef<int64_t> axes, double bytes,
    const Mesh& mesh);

/// The same, of a tensor of `bytes` in a bucket of tensors of `bucketBytes`,
/// its own included: its part, by bytes, of what the bucket sends.
llvm::SmallVector<LevelTraffic, 3> trafficInBucket(Collective collective,
                                                   llvm::ArrayRef<int64_t> axes,
                                                   double bytes,
                                                   double bucketBytes,
                                                   const Mesh& mesh);

/// Seconds of that collective, the sum over its levels. Never falls as `bytes`
/// grows.
double collectiveSeconds(Collective collective, llvm::ArrayRef<int64_t> axes,
                         double bytes, const Mesh& mesh);

/// Bytes, whole ones, of all tensors of a full bucket of such collectives, as a
/// member holds them where it holds most. A tensor that is as large travels
/// alone; all do where `travel` is alone.
double fullBucketBytes(Collective collective, llvm::ArrayRef<int64_t> axes,
                       const Mesh& mesh, Travel travel);

/// What a member sends in a halo exchange over the mesh axes `axes`
/// (rank.halo_exchange), where it takes `lowBytes` of the one before it and
/// `highBytes` of the one behind it. In a group of several levels, the members
/// at the border of an outer level are the slowest: one of their neighbours is
/// across that border, the other one is not. Of two members, each has one
/// neighbour. Messages cost what those of an all-to-all do.
llvm::SmallVector<LevelTraffic, 3> haloExchangeTraffic(
    llvm::ArrayRef<int64_t> axes, double lowBytes, double highBytes,
    const Mesh& mesh);

/// Of all levels.
double secondsOf(llvm::ArrayRef<LevelTraffic> traffic);

}  // namespace sbp

#endif  // PASSES_COST_COLLECTIVES_H_
