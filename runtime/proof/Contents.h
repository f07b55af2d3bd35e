// The contents of a rank's arena while its tasks run. The elements in the arena
// are not known. For each range of bytes, the contents say which value
// (plan/Values.h) lies there, and of which step and micro-batch this value is.
//
//   [0, 64) parameter w   [64, 4160) h of micro-batch 2   [4160, ...) nothing
//
// A buffer holds a value if a single write of the value covered the whole
// buffer, and no byte of this write has been overwritten since.

#ifndef RUNTIME_PROOF_CONTENTS_H_
#define RUNTIME_PROOF_CONTENTS_H_

#include <cstdint>
#include <map>
#include <vector>

namespace sbp::proof {

/// An instance of a value of plan::EntryValues, or one of the constants below.
/// A value has one instance per step, or, if it is made in a loop, one per step
/// and micro-batch.
struct Content {
  static constexpr int64_t kNothing = -1;  // unknown data
  static constexpr int64_t kZeros = -2;
  static constexpr int64_t kArriving = -3;  // data of a receive under way

  int64_t value = kNothing;  // number of the value, or one of the constants
  int64_t instance = 0;      // number of the instance (WantedContents.h)

  friend bool operator==(const Content& a, const Content& b) {
    return a.value == b.value && a.instance == b.instance;
  }
  friend bool operator!=(const Content& a, const Content& b) {
    return !(a == b);
  }
};

/// A map from byte ranges of an arena to the values that lie there.
class Contents {
 public:
  /// Records that `content` is written to [begin, begin + bytes).
  void write(int64_t begin, int64_t bytes, Content content);

  /// Returns what [begin, begin + bytes) holds; kNothing unless a single write
  /// covered the whole range and no byte of that write has been overwritten.
  Content read(int64_t begin, int64_t bytes) const;

  /// Whether [begin, begin + bytes) overlaps the buffer of a receive that is
  /// under way.
  bool isArriving(int64_t begin, int64_t bytes) const;

 private:
  /// The bytes of one write, up to `end`, and what it has written.
  struct Cell {
    int64_t end = 0;
    Content content;
  };
  using Cells = std::map<int64_t, Cell>;  // by begin; do not overlap

  /// Returns the first cell that ends after `begin`.
  Cells::const_iterator firstBehind(int64_t begin) const;

  Cells cells_;
};

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_CONTENTS_H_
