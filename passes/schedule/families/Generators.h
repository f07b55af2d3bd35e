// The functions that make the families' tables, for the list in Family.cpp.
//
// D is the depth, N the number of micro-batches; F and B are the durations of a
// forward and a backward of one stage, where B = I + W in halves; T is the
// makespan without latency. "Holds" counts the micro-batches that a worker has
// in flight at once, once per stage (Slots.h); with fewer micro-batches, a
// worker holds at most those.

#ifndef PASSES_SCHEDULE_FAMILIES_GENERATORS_H_
#define PASSES_SCHEDULE_FAMILIES_GENERATORS_H_

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {

/// All forwards, then all backwards (Huang et al., GPipe, arXiv 1811.06965). T
/// = (N + D - 1)(F + B); a worker holds N micro-batches.
absl::StatusOr<Table> makeGPipe(const Shape& shape);

/// One forward, one backward: worker s starts with D - 1 - s forwards (Fan et
/// al., DAPPLE, arXiv 2007.01045). T as GPipe; worker s holds D - s
/// micro-batches.
absl::StatusOr<Table> makeOneForwardOneBackward(const Shape& shape);

/// The same, but worker s starts with 2(D - 1 - s) forwards, which hides
/// latencies up to about (F + B)/2. Worker s holds 2(D - s) - 1 micro-batches.
absl::StatusOr<Table> makeEagerOneForwardOneBackward(const Shape& shape);

/// List scheduling with F = 1 and B = 2 for all stages. A worker that is free
/// runs the backward of the first micro-batch that has one ready; if there is
/// none, the forward of the first one, if its stage s of S holds fewer than S -
/// s micro-batches. Takes any workers for stages (Shape::workerOfStage); with
/// one stage per worker it is 1f1b.
absl::StatusOr<Table> makeList(const Shape& shape);

/// One forward, one backward, with v chunks of the model per worker: stage cD +
/// r is chunk c of worker r (Narayanan et al., Megatron-LM, arXiv 2104.04473,
/// section 2.2). With F and B of all chunks of a worker together, T = (N + (D -
/// 1)/v)(F + B).
absl::StatusOr<Table> makeInterleaved(const Shape& shape);

/// Backwards in halves, whose backwards of weights fill bubbles (Qi et al.,
/// Zero Bubble Pipeline Parallelism, arXiv 2401.10241). For F = I = W = 1:
///
///   zb-h1  T = 3N + D - 1 if N >= D; a worker holds D micro-batches;
///   zb-h2  no worker idles between its first and last task; a worker holds up
///          to 2D - 1 micro-batches;
///   zb-v   stages r and 2D - 1 - r are on worker r; T = 6N + D - 1, as a
///          worker has two stages; a worker holds 2D micro-batches.
absl::StatusOr<Table> makeZeroBubbleH1(const Shape& shape);
absl::StatusOr<Table> makeZeroBubbleH2(const Shape& shape);
absl::StatusOr<Table> makeZeroBubbleV(const Shape& shape);

/// Two pipes in opposite directions, each with half of the micro-batches. A
/// forward of one overlaps with a backward of the other; in the table, one is
/// after the other (DeepSeek-V3, arXiv 2412.19437, section 3.2.1).
/// `makeDualPipeV` folds a single pipe in the middle, so that both of its ends
/// are on one worker.
absl::StatusOr<Table> makeDualPipe(const Shape& shape);
absl::StatusOr<Table> makeDualPipeV(const Shape& shape);

/// Two opposite pipes that alternate; a worker holds one micro-batch (Jain et
/// al., GEMS, SC 2020). T = N(2D + 1) + D - 1 for F = 1, B = 2.
absl::StatusOr<Table> makeGems(const Shape& shape);

/// f pairs of opposite pipes that fill one another's bubbles (Li and Hoefler,
/// Chimera, arXiv 2107.06925, sections 3.1, 3.5 and 3.6). Variants: direct;
/// doubling, with forwards of two micro-batches; halving, with backwards of
/// half a micro-batch.
absl::StatusOr<Table> makeChimera(const Shape& shape);

/// One forward, one backward without a flush. PipeDream (Narayanan et al., SOSP
/// 2019) updates weights after every backward; PipeDream-2BW (the same authors,
/// arXiv 2006.09503) after N of them, and reads weights that are one update
/// old.
absl::StatusOr<Table> makePipeDream(const Shape& shape);
absl::StatusOr<Table> makePipeDream2bw(const Shape& shape);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_GENERATORS_H_
