// Loops of a plan: tasks that run once per micro-batch, and the order in which
// they run.

#ifndef RUNTIME_PLAN_LOOP_H_
#define RUNTIME_PLAN_LOOP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/Tasks.h"
#include "runtime/plan/Tensor.h"

namespace sbp::plan {

/// Tasks [first, last), which run for all micro-batches [0, numMicroBatches)
/// before task `last` runs. Without blocks, all tasks run for micro-batch 0,
/// then all for micro-batch 1, and so on. With blocks, `order` lists the runs
/// of the blocks. A block may run for some of the micro-batches only
/// (Block::numRuns, Block::isOnce).
struct Loop {
  /// A buffer that keeps its content from micro-batch to micro-batch, such as
  /// the sum of a gradient. The executor fills it with zeros before the loop.
  struct Carried {
    int64_t buffer = 0;
    int64_t bytes = 0;
  };

  /// Tasks [first, last) that run without interruption for one micro-batch.
  struct Block {
    std::string name;  // for people: "1F" is the forward of stage 1
    int64_t first = 0;
    int64_t last = 0;
    int64_t numRuns = 1;  // number of micro-batches for which the block runs
    /// Whether the block runs once per step instead of once per micro-batch,
    /// because it uses what other blocks have summed over all micro-batches.
    /// Its run in `order` is for micro-batch 0.
    bool isOnce = false;
    std::string title = "";  // name in words: "stage 1, forward"
  };

  /// One run of a block. In iteration i (Plan.h, Overlapping steps) the block
  /// runs for micro-batch `microBatch` of step i + stepOffset.
  struct BlockRun {
    int64_t block = 0;  // index into `blocks`
    int64_t microBatch = 0;
    int64_t stepOffset = 0;
  };

  /// Memory that carries data from block to block while blocks of other
  /// micro-batches run in between: `count` slots of `bytes` bytes, the first at
  /// `buffer`. The blocks `users` use the slots. A micro-batch takes the first
  /// free slot when the first of these blocks runs for it, and keeps the slot
  /// until all of them have run for it. A task names a buffer in the first
  /// slot, but when it runs it accesses the same buffer in the slot of its
  /// micro-batch.
  struct Slots {
    int64_t buffer = 0;
    int64_t bytes = 0;
    int64_t count = 1;
    std::vector<int64_t> users;  // indices of blocks, ascending
  };

  /// Message-driven execution (runtime/execute/MessageOrder.h): the most urgent
  /// block that can run is run next. `order` then decides two things only:
  ///
  /// - the order in which a block runs for its micro-batches;
  /// - which blocks wait for others. Block B waits, for each micro-batch, until
  ///   block A has run for this micro-batch, if A precedes B in `order` for
  ///   every micro-batch for which both run. A block with isOnce waits for all
  ///   runs of every block whose last run precedes its own run; only another
  ///   block with isOnce waits for it.
  struct Messages {
    /// Urgency of each block; a smaller number is more urgent.
    std::vector<int64_t> urgencies;
    /// Collective by which the ranks that run these blocks together agree on
    /// which blocks all of them can run: an in-place all-reduce by kMin of one
    /// f32 per block.
    CollectiveTask agreement;
  };

  int64_t first = 0;
  int64_t last = 0;
  int64_t numMicroBatches = 1;
  std::vector<Carried> carried;

  /// Buffer with the index of the current micro-batch, as an i64; or kAbsent.
  int64_t microBatchBuffer = kAbsent;

  /// Blocks that cover all tasks, in order; empty: all tasks are one block.
  std::vector<Block> blocks = {};
  /// All runs of the blocks, in the order in which they run: at most one run
  /// per block and micro-batch. Empty only if there are no blocks.
  std::vector<BlockRun> order = {};
  std::vector<Slots> slots = {};                    // do not overlap
  std::optional<Messages> messages = std::nullopt;  // none: `order` decides
};

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_LOOP_H_
