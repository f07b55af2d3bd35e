// Places buffers with known live ranges in one arena.
//
// Tasks run in order; a buffer is live from the task that first writes it to
// the task that last reads it. Two buffers may share bytes if their live ranges
// are disjoint. The arena must be at least as large as the buffers that are
// live at the busiest task. To meet that bound exactly is NP-hard, but a greedy
// method comes close:
//
//   Take the buffers by size, largest first. Put each into the smallest gap
//   that holds it, among the placed buffers that are live at the same time. If
//   there is no such gap, put the buffer above all of these.
//
// So the large buffers lie densely, and the small ones fill the gaps. Where
// sizes are much alike, live ranges matter more. Therefore two other orders are
// tried, unless the bound is met: by first use, which stacks the tensors that a
// forward pass saves for the backward pass, and by length of the live range. In
// each of the three orders, after a placement the buffers that end above the
// bound go to the front of the order, and all buffers are placed again: at most
// 60 times, and fewer times with 500 buffers or more. The smallest arena wins.
//
// Sources: greedy by size, Pisarchyk and Lee, arXiv 2001.03288, section 5;
// moving buffers to the front of the order: squeaky wheel optimisation, Joslin
// and Clements, JAIR 10 (1999).

#ifndef CODEGEN_PLAN_PLANBUFFERS_H_
#define CODEGEN_PLAN_PLANBUFFERS_H_

#include <cstdint>
#include <vector>

namespace sbp {

/// A buffer of `bytes` bytes that is live at the tasks first, ..., last.
struct LiveBuffer {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
};

/// An arena, and where each buffer lies in it.
struct BufferLayout {
  std::vector<int64_t> offsets;  // by buffer, bytes
  int64_t bytes = 0;             // size of the arena
};

/// Returns offsets of `buffers` that are multiples of `alignment`, such that no
/// two buffers that are live at the same task overlap. The result depends on
/// the arguments alone. Takes time n^2 in the worst case, with a small
/// constant: 10,000 buffers take 0.4 s.
BufferLayout planBuffers(const std::vector<LiveBuffer>& buffers,
                         int64_t alignment);

/// Returns the bytes that are live at the busiest task, each buffer rounded up
/// to a multiple of `alignment`. No arena for `buffers` can be smaller.
int64_t busiestBytes(const std::vector<LiveBuffer>& buffers, int64_t alignment);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANBUFFERS_H_
