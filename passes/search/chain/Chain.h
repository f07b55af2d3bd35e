// A deep network as a search problem: residual blocks in a row.
//
//        +---------------------+
//   x_0 -+- op - op - ... - op +-> x_1 - ...      head -> x_0, x_n -> tail
//
// A block is a short chain of ops (its branch) between two residual tensors,
// with a skip connection around it. Equal blocks are stored once and repeated.
// A head makes the first residual tensor (an embedding), a tail uses the last
// one (a loss).
//
// The search decides the layout (LayoutSpace.h) of every residual tensor, and
// for every op, which of its loops each mesh axis splits. The state of an op is
// the layout of its result: this says which loops are split, because each loop
// leaves a different kind in the result:
//
//   product     loop        reads   weight   leaves
//               rows m      S(m)    B        S(m)
//               columns n   B       S(n)     S(n)
//               sum k       S(k)    S(k)     P
//               none        B       B        B        (runs in copies)
//
// Operands are never Partial; residual tensors may be. The backward half
// follows the forward half: a gradient has the dual layout of its tensor
// (LayoutSpace::dual). The redistribution of the gradient then costs as much as
// that of the tensor (docs/search.md), so every redistribution counts twice per
// micro-batch.

#ifndef PASSES_SEARCH_CHAIN_CHAIN_H_
#define PASSES_SEARCH_CHAIN_CHAIN_H_

#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "passes/search/symmetry/LayoutSpace.h"

namespace sbp::search {

/// A loop of an op. `reads` and `leaves` are the kinds of an axis that splits
/// the loop.
struct Loop {
  std::string name;
  Kind reads = 0;   // Kind in the operand: a dimension or Broadcast.
  Kind leaves = 0;  // Kind in the result; differs between loops.
  int64_t extent = 1;
  bool cutsWeight = false;  // Whether a split of the loop splits the weight.
  /// Bytes of the whole tensor that devices exchange in each direction if this
  /// loop is split. If other loops are split too, a device exchanges only its
  /// part. `exchangeRounds` is 1 for a gather, 2 for an all-reduce.
  double exchangedBytes = 0;
  double exchangeRounds = 1;
};

/// Ways to store the weights of an op (OpCost.h).
enum class Storage { Z1, Z2, Z3, Z3OnFastestLevel };
inline constexpr Storage kStorages[] = {Storage::Z1, Storage::Z2, Storage::Z3,
                                        Storage::Z3OnFastestLevel};
const char* nameOf(Storage storage);

/// Whether the result of an op may have this layout; used by named strategies.
using LayoutFilter = std::function<bool(const LayoutSpace&, Layout)>;

/// An op. Along an axis that splits none of its loops it runs in copies.
struct Op {
  std::string name;
  std::vector<Loop> loops;
  double flops = 0;               // forward, of one micro-batch
  double readBytes = 0;           // of the operand, of one micro-batch
  double madeBytes = 0;           // of the result, of one micro-batch
  double parameters = 0;          // Number of parameters.
  LayoutFilter allows = nullptr;  // Allows all layouts if null.
  std::vector<Storage> storages = {std::begin(kStorages), std::end(kStorages)};
};

/// A chain of ops between two residual tensors.
struct Block {
  std::string name;
  std::vector<Op> ops;
  /// Whether the operand of the first op is added to the result of the last.
  bool hasSkip = true;
};

/// A sequence of blocks, by their indices, and how often it is repeated.
struct Repetition {
  std::vector<int64_t> blocks;
  int64_t times = 1;
};

/// Speed of a device.
struct Processor {
  double flopsPerSecond = 1;
  double bytesPerSecond = 1;
};

/// The network, and the machine that runs it.
struct Chain {
  std::vector<Level> levels;
  Processor processor;
  /// Unit of time of `levels` and `processor`, and of all prices (Units.h).
  double secondsPerUnit = 1;
  /// Names of dimensions, distinct in their first letters.
  std::vector<std::string> dims;
  std::vector<int64_t> extents;  // Extents of the residual tensors' dimensions.
  double residualBytes = 0;      // of one micro-batch
  int64_t microBatches = 1;
  double bytesPerParameter = 2;  // of weights and of gradients
  double optimizerBytesPerParameter = 12;
  Block head, tail;
  std::vector<Block> blocks;
  std::vector<Repetition> body;

  int64_t numDims() const { return static_cast<int64_t>(dims.size()); }

  /// Returns the indices of all blocks of the body in order, repetitions
  /// included.
  std::vector<int64_t> sequence() const;

  /// Returns what is wrong with the chain, such as sizes of tensors that do not
  /// match, or two loops with one kind in the result; empty if nothing is.
  std::string check() const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_CHAIN_H_
