// A process of a world (all ranks of one run), as it describes itself to the
// others.

#ifndef RUNTIME_BOOTSTRAP_MEMBER_H_
#define RUNTIME_BOOTSTRAP_MEMBER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace sbp::bootstrap {

/// The rank, process id and host name of a process.
struct Member {
  int64_t rank = 0;
  int64_t pid = 0;
  std::string host;

  /// Returns "rank 2 (host node7, pid 4711)".
  std::string describe() const;
};

/// Returns the text of the error that two members claim the same rank.
std::string describeClash(const Member& first, const Member& second);

/// Returns the message for a member that was told to end by a signal.
std::string describeInterruption(const Member& member);

/// Returns this process as the member of rank `rank`.
Member thisProcess(int64_t rank);

/// Encodes a member as a text, and decodes it. decodeMember returns false for a
/// text that is not a member; `member` is then meaningless.
std::string encodeMember(const Member& member);
bool decodeMember(std::string_view text, Member& member);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_MEMBER_H_
