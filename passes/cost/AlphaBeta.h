// The alpha-beta model: what a collective sends, and how long that takes.
//
// Let n be the size of the tensor on a member, before or after the collective,
// whichever is larger (the result of an all-gather, the input of a
// reduce-scatter, the part of an all-to-all). In a ring of p members each
// member sends p-1 messages of size n/p:
//
//   all-gather, reduce-scatter, all-to-all     p-1 rounds    (p-1)/p n
//   all-reduce                                 twice as much of both
//
// A link takes alpha seconds per round and beta seconds per unit of volume: per
// byte or per element.
//
// Source: AutoDDL, table 2. The brackets in that table do not mean rounding up.

#ifndef PASSES_COST_ALPHABETA_H_
#define PASSES_COST_ALPHABETA_H_

namespace sbp {

/// Number of sends and volume sent by one device.
struct Traffic {
  double rounds = 0;
  double volume = 0;  // in bytes, or in elements

  Traffic& operator+=(Traffic other) {
    rounds += other.rounds;
    volume += other.volume;
    return *this;
  }
  friend Traffic operator+(Traffic a, Traffic b) { return a += b; }
  friend Traffic operator*(double factor, Traffic traffic) {
    return {factor * traffic.rounds, factor * traffic.volume};
  }
};

/// Returns the traffic of an all-gather, a reduce-scatter or an all-to-all
/// among `members` devices. `n` is the n of the formulas above. An all-reduce
/// has twice this traffic.
inline Traffic trafficOf(double members, double n) {
  return {members - 1, (members - 1) / members * n};
}

/// The network of one level of the machine.
struct Link {
  double alpha = 0;  // seconds per round
  double beta = 0;   // seconds per unit of volume

  double seconds(Traffic traffic) const {
    return alpha * traffic.rounds + beta * traffic.volume;
  }
};

}  // namespace sbp

#endif  // PASSES_COST_ALPHABETA_H_
