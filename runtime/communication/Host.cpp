#include "runtime/communication/Host.h"

#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

namespace sbp::communication {
namespace {

std::string readBootId() {
  char text[64] = "";
  std::FILE* file = std::fopen("/proc/sys/kernel/random/boot_id", "re");
  if (!file) return "unknown";
  if (std::fscanf(file, "%63s", text) != 1) text[0] = '\0';
  std::fclose(file);
  return text;
}

// Returns the inode of a namespace's file, which identifies the namespace.
uint64_t namespaceInode(const char* path) {
  struct stat info = {};
  return stat(path, &info) == 0 ? info.st_ino : 0;
}

std::string hostId(const std::string& kernel, uint64_t userNamespace) {
  if (const char* given = std::getenv("SBP_HOST_ID")) {
    std::string id = given;
    for (char& letter : id) {
      if (letter == ' ') letter = '_';
    }
    return id;
  }
  return fmt::format("{}-{}-{}-{}", kernel, namespaceInode("/proc/self/ns/ipc"),
                     namespaceInode("/proc/self/ns/pid"), userNamespace);
}

}  // namespace

HostCard thisHost() {
  HostCard card;
  card.kernel = readBootId();
  card.userNamespace = namespaceInode("/proc/self/ns/user");
  card.id = hostId(card.kernel, card.userNamespace);
  cpu_set_t processors;
  CPU_ZERO(&processors);
  if (sched_getaffinity(0, sizeof(processors), &processors) == 0) {
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &processors)) card.processors.push_back(i);
    }
  }
  return card;
}

std::string encodeHostCard(const HostCard& card) {
  return fmt::format("{} {} {} {}", card.id, card.kernel, card.userNamespace,
                     fmt::join(card.processors, ","));
}

HostCard decodeHostCard(const std::string& text) {
  HostCard card;
  std::vector<std::string> parts = absl::StrSplit(text, ' ');
  if (parts.size() != 4 || !absl::SimpleAtoi(parts[2], &card.userNamespace)) {
    return card;
  }
  card.id = parts[0];
  card.kernel = parts[1];
  for (absl::string_view word : absl::StrSplit(parts[3], ',')) {
    int processor = 0;
    if (absl::SimpleAtoi(word, &processor)) {
      card.processors.push_back(processor);
    }
  }
  return card;
}

bool mayReachMemory(const std::vector<HostCard>& cards) {
  std::map<std::string, uint64_t> namespaces;
  return std::all_of(cards.begin(), cards.end(), [&](const HostCard& card) {
    const auto first = namespaces.emplace(card.kernel, card.userNamespace);
    return first.first->second == card.userNamespace;
  });
}

int64_t numProcessors(const std::vector<HostCard>& cards,
                      const std::string& id) {
  std::set<int> processors;
  for (const HostCard& card : cards) {
    if (card.id != id) continue;
    processors.insert(card.processors.begin(), card.processors.end());
  }
  return processors.size();
}

}  // namespace sbp::communication
