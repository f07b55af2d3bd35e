// A deep network as a search problem: residual blocks in a row.
//
//        +---------------------+
//   x_0 -+- op - op - ... - op +-> x_1 - ...      head -> x_0, x_n -> tail
//
// A block is a short chain of ops between two residual tensors, with a skip
// connection around it. Equal blocks are kept once and repeated. A head makes
// the first residual tensor (an embedding), a tail uses the last (a loss).
//
// What is decided is where things lie: every residual tensor and, for every op,
// which of its loops each mesh axis splits. The state of an op is the layout
// of its result: each of its loops, split, leaves a kind of its own there.
//
//   product     loop        reads   weight   leaves
//               rows m      S(m)    B        S(m)
//               columns n   B       S(n)     S(n)
//               sum k       S(k)    S(k)     P
//               none        B       B        B        (runs in copies)
//
// What ops read never lies in terms; residual tensors may. The backward half is
// tied to the forward half: a gradient lies as the dual of its tensor, so that
// its way back costs what the tensor's way costs (docs/search.md), and every
// redistribution counts twice per micro-batch.

#ifndef PASSES_SEARCH_LAYOUT_CHAIN_H_
#define PASSES_SEARCH_LAYOUT_CHAIN_H_

#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "passes/search/layout/Space.h"

namespace sbp::search {

/// A loop of an op, and what an axis that splits it does to the tensors.
struct Loop {
  std::string name;
  Kind reads = 0;   // the operand's kind: a dimension or Broadcast
  Kind leaves = 0;  // the result's kind, other than those of the other loops
  int64_t extent = 1;
  bool cutsWeight = false;
  /// What a split of this loop makes devices exchange in each direction, in
  /// bytes of the whole tensor; each device, what its parts of the other loops
  /// leave of it. Once around to gather, twice to all-reduce.
  double exchangedBytes = 0;
  double exchangeRounds = 1;
};

/// How an op with weights keeps them (OpCost.h).
enum class Storage { Z1, Z2, Z3, Z3OnFastestLevel };
inline constexpr Storage kStorages[] = {Storage::Z1, Storage::Z2, Storage::Z3,
                                        Storage::Z3OnFastestLevel};
const char* nameOf(Storage storage);

/// Whether an op may run so that its result has this layout: a pin, or what a
/// named strategy means.
using LayoutFilter = std::function<bool(const LayoutSpace&, Layout)>;

/// Along an axis that splits none of its loops, an op runs in copies.
struct Op {
  std::string name;
  std::vector<Loop> loops;
  double flops = 0;               // forward, of one micro-batch
  double readBytes = 0;           // of the operand, of one micro-batch
  double madeBytes = 0;           // of the result, of one micro-batch
  double parameters = 0;          // numbers
  LayoutFilter allows = nullptr;  // all, if there is none
  std::vector<Storage> storages = {std::begin(kStorages), std::end(kStorages)};
};

struct Block {
  std::string name;
  std::vector<Op> ops;
  /// Whether what it reads is added to what it makes.
  bool hasSkip = true;
};

/// Blocks, by index, that follow each other, and that so many times.
struct Repetition {
  std::vector<int64_t> blocks;
  int64_t times = 1;
};

/// What a device can do in a second.
struct Processor {
  double flopsPerSecond = 1;
  double bytesPerSecond = 1;
};

struct Chain {
  std::vector<Level> levels;
  Processor processor;
  /// Of the unit in which both are described, and all is priced (Units.h).
  double secondsPerUnit = 1;
  std::vector<std::string> dims;  // names, one letter each on paper
  std::vector<int64_t> extents;   // of the residual tensors' dimensions
  double residualBytes = 0;       // of one micro-batch
  int64_t microBatches = 1;
  double bytesPerParameter = 2;  // of weights and of gradients
  double optimizerBytesPerParameter = 12;
  Block head, tail;
  std::vector<Block> blocks;
  std::vector<Repetition> body;

  int64_t numDims() const { return static_cast<int64_t>(dims.size()); }

  /// The blocks in order.
  std::vector<int64_t> sequence() const;

  /// What is wrong with it, or nothing: tensors that do not fit together, loops
  /// that leave the same kind.
  std::string check() const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_CHAIN_H_
