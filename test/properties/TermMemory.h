// The memory of a rank that computes with symbolic values. Each piece of
// plan::kBufferAlignment bytes, here 64, has a term: a number that stands for a
// computed value and depends on all operands of the computation.
//
//   write t to 128 bytes at 64      [64, 128) t   [128, 192) t
//   read 128 bytes at 0             a new term, because the two pieces have
//                                   different terms

#ifndef TEST_PROPERTIES_TERMMEMORY_H_
#define TEST_PROPERTIES_TERMMEMORY_H_

#include <cstdint>
#include <set>
#include <vector>

#include "llvm/ADT/Hashing.h"
#include "runtime/plan/Plan.h"

namespace sbp::properties {

using Term = uint64_t;

/// Term of a buffer of carried values before the first iteration.
inline constexpr Term kZeros = 78;
/// Term of memory that was never written.
inline constexpr Term kUnknown = 0xdead;
/// Term of every tensor without elements.
inline constexpr Term kEmpty = 77;

/// Returns a term that depends on all of `parts`.
template <typename... Parts>
Term termOf(const Parts&... parts) {
  return static_cast<size_t>(llvm::hash_combine(parts...));
}

inline Term termOfAll(const std::vector<Term>& terms) {
  return static_cast<size_t>(
      llvm::hash_combine_range(terms.begin(), terms.end()));
}

/// A range of a rank's memory: offset of its first byte, and number of bytes.
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
  explicit TermMemory(int64_t bytes) : pieces_(pieceOf(bytes), kUnknown) {}

  bool has(Bytes bytes) const {
    return bytes.begin >= 0 && pieceOf(bytes.begin + bytes.count) <=
                                   static_cast<int64_t>(pieces_.size());
  }
  void write(Bytes bytes, Term term) {
    for (int64_t at = bytes.begin; at < bytes.begin + bytes.count;
         at += plan::kBufferAlignment)
      pieces_[at / plan::kBufferAlignment] = term;
  }
  /// Returns the term of `bytes`. If its pieces have several terms, returns a
  /// new term that depends on all of them.
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
