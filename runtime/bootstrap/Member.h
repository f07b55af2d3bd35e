// A process of the world, as it introduces itself.

#ifndef RUNTIME_BOOTSTRAP_MEMBER_H_
#define RUNTIME_BOOTSTRAP_MEMBER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace sbp::bootstrap {

struct Member {
  int64_t rank = 0;
  int64_t pid = 0;
  std::string host;

  /// "rank 2 (host node7, pid 4711)".
  std::string describe() const;
};

/// What is wrong about two members of equal rank.
std::string describeClash(const Member& first, const Member& second);

/// What is to be said when a member is told to end, by a signal.
std::string describeInterruption(const Member& member);

/// This process, as rank `rank`.
Member thisProcess(int64_t rank);

/// A member as a text, and back; the latter fails (returns false) on a text
/// that is no member.
std::string encodeMember(const Member& member);
bool decodeMember(std::string_view text, Member& member);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_MEMBER_H_
