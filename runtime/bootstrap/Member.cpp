#include "runtime/bootstrap/Member.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

namespace sbp::bootstrap {

std::string Member::describe() const {
  return fmt::format("rank {} (host {}, pid {})", rank, host, pid);
}

std::string describeClash(const Member& first, const Member& second) {
  return fmt::format("two processes are the same rank: {} and {}",
                     first.describe(), second.describe());
}

std::string describeInterruption(const Member& member) {
  return fmt::format("interrupted: {} was told to end", member.describe());
}

Member thisProcess(int64_t rank) {
  char host[256] = "unknown";
  gethostname(host, sizeof(host) - 1);
  return {rank, getpid(), host};
}

std::string encodeMember(const Member& member) {
  return fmt::format("{} {} {}", member.rank, member.pid, member.host);
}

// The text may come from anybody. Accepts only printable host names, because
// the name is printed.
bool decodeMember(std::string_view text, Member& member) {
  const std::vector<std::string> words =
      absl::StrSplit(absl::string_view(text.data(), text.size()), ' ');
  if (words.size() != 3) return false;
  member.host = words[2];
  return absl::SimpleAtoi(words[0], &member.rank) && member.rank >= 0 &&
         absl::SimpleAtoi(words[1], &member.pid) &&
         std::all_of(member.host.begin(), member.host.end(),
                     [](unsigned char c) { return absl::ascii_isgraph(c); });
}

}  // namespace sbp::bootstrap
