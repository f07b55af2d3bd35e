// What lies in a rank's arena while its tasks run: not numbers, but which value
// they are of, and for which time.
//
//   [0, 64) parameter w   [64, 4160) h of micro-batch 2   [4160, ...) nothing
//
// A buffer holds a value if the value was written to all of it, at once, and
// nothing to any part of it since.

#ifndef RUNTIME_PROOF_CONTENTS_H_
#define RUNTIME_PROOF_CONTENTS_H_

#include <cstdint>
#include <map>
#include <vector>

namespace sbp::proof {

/// A value of plan::EntryValues for one time of its loop, or one of these.
struct Content {
  static constexpr int64_t kNothing = -1;  // nobody knows what
  static constexpr int64_t kZeros = -2;
  static constexpr int64_t kArriving = -3;  // a transfer, under way

  int64_t value = kNothing;
  int64_t time = 0;

  friend bool operator==(const Content& a, const Content& b) {
    return a.value == b.value && a.time == b.time;
  }
  friend bool operator!=(const Content& a, const Content& b) {
    return !(a == b);
  }
};

class Contents {
 public:
  /// What is written to [begin, begin + bytes).
  void write(int64_t begin, int64_t bytes, Content content);

  /// What all of [begin, begin + bytes) holds; kNothing if it holds several.
  Content read(int64_t begin, int64_t bytes) const;

  /// Whether a part of [begin, begin + bytes) is that of a transfer under way.
  bool isArriving(int64_t begin, int64_t bytes) const;

 private:
  struct Cell {
    int64_t end = 0;
    Content content;
  };
  using Cells = std::map<int64_t, Cell>;  // by begin; apart

  /// The first cell that ends behind `begin`.
  Cells::const_iterator firstBehind(int64_t begin) const;

  Cells cells_;
};

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_CONTENTS_H_
