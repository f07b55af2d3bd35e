// Places buffers with known lifetimes in one arena.
//
// Tasks run in order; a buffer is needed from the task that first writes it to
// the one that last reads it. Two buffers may have the same bytes if they are
// never needed at the same time. The arena must be at least as large as the
// buffers needed at the busiest task; to meet that bound exactly is NP-hard, to
// come close is not:
//
//   Take the buffers by size, largest first. Put each into the smallest gap,
//   among the buffers placed so far that are needed at the same time, that
//   holds it; if there is none, behind them all.
//
// The large buffers lie densely then, and the small ones fill what is left.
// Where sizes are much alike, lifetimes matter more. So two other orders are
// tried unless the bound is met: by first use, which stacks what a forward pass
// keeps for a backward one, and by length of life. And what sticks out above
// the bound has come too late: it goes to the front of its order, and all is
// placed again, some dozen times. The smallest arena wins.
//
// Sources: greedy by size, Pisarchyk and Lee, arXiv 2001.03288, section 5; to
// the front with what is in trouble: squeaky wheel optimisation, Joslin and
// Clements, JAIR 10 (1999).

#ifndef CODEGEN_PLAN_PLANBUFFERS_H_
#define CODEGEN_PLAN_PLANBUFFERS_H_

#include <cstdint>
#include <vector>

namespace sbp {

/// A buffer of `bytes` bytes that is needed at the tasks [first, last].
struct LiveBuffer {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
};

struct BufferLayout {
  std::vector<int64_t> offsets;  // of each buffer, in the order they were given
  int64_t bytes = 0;             // of the arena
};

/// Offsets for `buffers`, multiples of `alignment`, such that no two that are
/// needed at one task overlap. The answer is a function of the arguments alone.
/// Takes time n^2 in the worst case, with a small constant: 10,000 buffers take
/// 0.4 s.
BufferLayout planBuffers(const std::vector<LiveBuffer>& buffers,
                         int64_t alignment);

/// The bytes needed at the busiest task, each buffer rounded up to `alignment`:
/// no arena is smaller.
int64_t busiestBytes(const std::vector<LiveBuffer>& buffers, int64_t alignment);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANBUFFERS_H_
