#include "codegen/cuda/testing/nccl/Communicator.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace sbp::nccl {

std::unique_ptr<Communicator> Communicator::enter(const Folder& folder,
                                                  int rank, int size,
                                                  const std::string& card) {
  std::unique_ptr<Communicator> world(
      new Communicator(folder, "world", rank, size));
  world->isWorld_ = true;
  folder.put(fmt::format("enter.{}", rank), card);
  std::set<std::string> cards;
  for (int other = 0; other < size; ++other) {
    const auto theirs = folder.await(fmt::format("enter.{}", other));
    if (!theirs) return nullptr;
    if (!cards.insert(*theirs).second) world->sharesGpus_ = true;
  }
  return world;
}

bool Communicator::split(int color, int key,
                         std::unique_ptr<Communicator>& part) {
  const std::string split = fmt::format("{}.split{}", name_, numSplits_++);
  folder_.put(fmt::format("{}.{}", split, rank_),
              fmt::format("{} {}", color, key));
  std::vector<std::pair<int, int>> members;  // keys and ranks
  for (int other = 0; other < size_; ++other) {
    const auto text = folder_.await(fmt::format("{}.{}", split, other));
    if (!text) return false;
    int itsColor = 0, itsKey = 0;
    std::istringstream(*text) >> itsColor >> itsKey;
    if (itsColor == color) members.emplace_back(itsKey, other);
  }
  if (color < 0) return true;
  std::sort(members.begin(), members.end());
  const auto me =
      std::find_if(members.begin(), members.end(),
                   [&](auto member) { return member.second == rank_; });
  part.reset(new Communicator(folder_, fmt::format("{}.{}", split, color),
                              static_cast<int>(me - members.begin()),
                              static_cast<int>(members.size())));
  return true;
}

void Communicator::leave() {
  folder_.put(fmt::format("leave.{}", rank_), "");
  for (int other = 0; other < size_; ++other)
    if (!folder_.has(fmt::format("leave.{}", other))) return;
  folder_.removeAll();
}

void Communicator::removeOldFiles() {
  for (const std::string& file : oldFiles) folder_.remove(file);
  oldFiles.clear();
}

std::string Communicator::collectiveOf(int rank, int64_t number) const {
  return fmt::format("{}.collective{}.{}", name_, number, rank);
}

std::string Communicator::messageOf(int sender, int receiver,
                                    int64_t number) const {
  return fmt::format("{}.message{}.{}.{}", name_, number, sender, receiver);
}

}  // namespace sbp::nccl
