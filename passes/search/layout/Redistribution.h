// What it costs to bring a tensor from any layout to any other, for all pairs
// at once.
//
// A move is one collective over axes of one level, or a local step:
//
//   all-gather      S -> B      reduce-scatter  P -> S     all-to-all  S -> S'
//   slice           B -> S      to partial      B -> P     pad         S -> P
//
// the last three free. n is what a device holds before, p the devices that take
// part: a gather takes (p-1) alpha + (p-1) n beta, the others (p-1) alpha +
// (p-1)/p n beta. An all-reduce is a reduce-scatter and a gather; a collective
// over several levels is one per level, in the cheapest order.
//
// Normal form. There is always a cheapest path that first slices, then
// reduce-scatters, then exchanges, then gathers, and last makes terms: a move
// that shrinks what is held makes the later ones cheaper, and one that grows it
// the earlier ones do not mind. Over p1 p2 devices, two gathers (or
// reduce-scatters) are as good as one: the same bytes, fewer rounds. Only
// all-to-alls gain from taking several axes at once.
//
// So the least of v(x) + distance(x, y) over all x, for every y, takes one
// sweep over the moves in this order. No table of pairs is needed, and none is
// kept: with 33,600 layouts it would have 10^9 entries, the sweep has 700,000
// moves.
//
// Source: AutoDDL, table 2 for the prices. The paper moves in a fixed order of
// three collectives.

#ifndef PASSES_SEARCH_LAYOUT_REDISTRIBUTION_H_
#define PASSES_SEARCH_LAYOUT_REDISTRIBUTION_H_

#include <vector>

#include "passes/search/layout/Space.h"

namespace sbp::search {

/// One step between two layouts.
struct Move {
  Layout from = 0, to = 0;
  double seconds = 0;         // for an empty tensor
  double secondsPerByte = 0;  // of the whole tensor

  double cost(double bytes) const { return seconds + secondsPerByte * bytes; }
};

class Redistribution {
 public:
  explicit Redistribution(const LayoutSpace& space);

  /// All moves, such that a cheapest path takes them in this order.
  const std::vector<Move>& moves() const { return moves_; }

  /// Lowers each values[y] to the least of values[x] + distance(x, y) over all
  /// layouts x, for a tensor of `bytes`.
  void relax(double bytes, std::vector<double>& values) const;

  /// Raises the question from the other end: values[x] becomes the least of
  /// distance(x, y) + values[y] over all y.
  void relaxBackward(double bytes, std::vector<double>& values) const;

  /// The cheapest path of a tensor of `bytes`; empty when nothing changes.
  std::vector<Move> path(Layout from, Layout to, double bytes) const;

  /// Seconds of the cheapest path.
  double distance(Layout from, Layout to, double bytes) const;

 private:
  int64_t numLayouts_;
  std::vector<Move> moves_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_REDISTRIBUTION_H_
