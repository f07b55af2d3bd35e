// The alpha-beta model: what a collective sends, and how long that takes.
//
// In a ring of p members each sends p-1 times, and every time a p-th of the
// message. With n what a member holds where it holds most (the result of a
// gather, the input of a reduce-scatter, the tile of an all-to-all):
//
//   all-gather, reduce-scatter, all-to-all     p-1 rounds    (p-1)/p n
//   all-reduce                                 twice as much of both
//
// A link takes alpha seconds per round and beta per unit of what is sent.
//
// Source: AutoDDL, table 2. (Its brackets are no ceilings.)

#ifndef PASSES_COST_ALPHABETA_H_
#define PASSES_COST_ALPHABETA_H_

namespace sbp {

/// What one device sends.
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

/// Of an all-gather, a reduce-scatter or an all-to-all of `members`, where `n`
/// is what a member holds where it holds most.
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
