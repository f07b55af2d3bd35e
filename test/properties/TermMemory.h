// The memory of a rank that computes with symbols in place of numbers: a term
// for each aligned piece, a number that stands for what was computed and
// depends on all of it.
//
//   write 128 bytes at 64 of t      [64, 128) t   [128, 192) t
//   read 128 bytes at 0             a term of its own: pieces of several

#ifndef TEST_PROPERTIES_TERMMEMORY_H_
#define TEST_PROPERTIES_TERMMEMORY_H_

#include <cstdint>
#include <set>
#include <vector>

#include "llvm/ADT/Hashing.h"
#include "runtime/plan/Plan.h"

namespace sbp::properties {

using Term = uint64_t;

/// That of a buffer before anything is carried in it.
inline constexpr Term kZeros = 78;
/// That of memory to which nothing was written.
inline constexpr Term kUnknown = 0xdead;
/// That of every tensor without elements: memory cannot hold another.
inline constexpr Term kEmpty = 77;

/// A term that depends on all of `parts`.
template <typename... Parts>
Term termOf(const Parts&... parts) {
  return static_cast<size_t>(llvm::hash_combine(parts...));
}

inline Term termOfAll(const std::vector<Term>& terms) {
  return static_cast<size_t>(
      llvm::hash_combine_range(terms.begin(), terms.end()));
}

/// Some of a rank's memory.
struct Bytes {
  int64_t begin = 0;
  int64_t count = 0;

  bool overlaps(const Bytes& other) const {
    return count > 0 && other.count > 0 && begin < other.begin + other.count &&
           other.begin < begin + count;
  }
};

/// A term for each aligned piece of a rank's memory.
class TermMemory {
 public:
  explicit TermMemory(int64_t bytes) : pieces_(pieceOf(bytes) + 1, kUnknown) {}

  bool has(Bytes bytes) const {
    return bytes.begin >= 0 && pieceOf(bytes.begin + bytes.count) <=
                                   static_cast<int64_t>(pieces_.size());
  }
  void write(Bytes bytes, Term term) {
    for (int64_t at = bytes.begin; at < bytes.begin + bytes.count;
         at += plan::kBufferAlignment)
      pieces_[at / plan::kBufferAlignment] = term;
  }
  /// A term that nothing else has if there are several.
  Term read(Bytes bytes) const {
    std::set<Term> all;
    for (int64_t at = bytes.begin; at < bytes.begin + bytes.count;
         at += plan::kBufferAlignment)
      all.insert(pieces_[at / plan::kBufferAlignment]);
    if (all.size() == 1) return *all.begin();
    return all.empty()
               ? kEmpty
               : termOf(bytes.begin, termOfAll({all.begin(), all.end()}));
  }

 private:
  static int64_t pieceOf(int64_t bytes) {
    return (bytes + plan::kBufferAlignment - 1) / plan::kBufferAlignment;
  }
  std::vector<Term> pieces_;
};

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_TERMMEMORY_H_
