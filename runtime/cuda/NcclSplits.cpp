#include "runtime/cuda/NcclSplits.h"

#include <algorithm>
#include <set>
#include <variant>

#include "runtime/communication/Collective.h"
#include "runtime/communication/Gates.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/cuda/NcclLibrary.h"

namespace sbp::cuda {
namespace {

NcclSplit emptySplit(int64_t numRanks) {
  return {std::vector<int>(numRanks, kNcclNoColor),
          std::vector<int>(numRanks, 0)};
}

/// Returns the split into the members of collectives over `axes` of `group`.
NcclSplit splitOver(const plan::Group& group, const std::vector<int64_t>& axes,
                    int64_t numRanks) {
  NcclSplit split = emptySplit(numRanks);
  for (int64_t position = 0; position < group.size(); ++position) {
    const int64_t rank = group.rankAt(position);
    if (split.colors[rank] != kNcclNoColor) continue;
    const std::vector<int64_t> members =
        communication::membersOf(group, axes, rank);
    const auto color =
        static_cast<int>(*std::min_element(members.begin(), members.end()));
    for (size_t key = 0; key < members.size(); ++key) {
      split.colors[members[key]] = color;
      split.keys[members[key]] = static_cast<int>(key);
    }
  }
  return split;
}

/// Whether NCCL carries collectives among the ranks of a part of `split`.
bool carriesPartOf(const NcclSplit& split,
                   const NcclSplits::IsCarried& isCarried) {
  std::map<int, std::vector<int64_t>> parts;  // by color
  for (size_t rank = 0; rank < split.colors.size(); ++rank)
    if (split.colors[rank] != kNcclNoColor)
      parts[split.colors[rank]].push_back(static_cast<int64_t>(rank));
  return std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
    return isCarried(part.second, /*isTransfer=*/false);
  });
}

}  // namespace

bool NcclSplit::isWorld() const {
  for (size_t rank = 0; rank < keys.size(); ++rank)
    if (colors[rank] != 0 || keys[rank] != static_cast<int>(rank)) return false;
  return true;
}

NcclSplits::NcclSplits(const plan::Plan& plan, size_t entry,
                       const std::vector<plan::Transfer>& transfers,
                       const IsCarried& isCarried) {
  addCollectives(plan, entry, isCarried);
  firstOfMessages = all.size();
  for (size_t number = 0; number < transfers.size(); ++number)
    if (isCarried(communication::ranksOf(transfers[number], plan.groups),
                  /*isTransfer=*/true))
      carried.insert(static_cast<int64_t>(number));
  addMessages(plan, transfers);
}

size_t NcclSplits::add(const NcclSplit& split) {
  const auto found = std::find(all.begin(), all.end(), split);
  if (found != all.end()) return found - all.begin();
  all.push_back(split);
  return all.size() - 1;
}

void NcclSplits::addCollectives(const plan::Plan& plan, size_t entry,
                                const IsCarried& isCarried) {
  const communication::Gates gates(plan.groups);
  std::set<uint64_t> known;
  for (const plan::Program& program : plan.programs)
    for (const plan::Task& task : program.entries[entry].tasks) {
      const auto* collective = std::get_if<plan::CollectiveTask>(&task);
      if (!collective || plan::isLocal(collective->kind)) continue;
      const plan::Group& group = plan.groups[collective->group];
      const bool isAlone =
          std::all_of(collective->axes.begin(), collective->axes.end(),
                      [&](int64_t axis) { return group.axes[axis].size == 1; });
      const uint64_t gate = gates.of(collective->group, collective->axes);
      if (isAlone || !known.insert(gate).second) continue;
      const NcclSplit split =
          splitOver(group, collective->axes, plan.numRanks());
      if (carriesPartOf(split, isCarried)) ofGates[gate] = add(split);
    }
}

void NcclSplits::addMessages(const plan::Plan& plan,
                             const std::vector<plan::Transfer>& transfers) {
  std::set<MessageChannel> channels;
  for (int64_t number : carried) {
    const plan::Transfer& transfer = transfers[number];
    const plan::Group& senders = plan.groups[transfer.source.group];
    for (int64_t position = 0; position < senders.size(); ++position) {
      const int64_t sender = senders.rankAt(position);
      const communication::PreparedTransfer prepared =
          communication::prepareTransfer(transfer, plan.groups, sender);
      for (const communication::Parcel& parcel : prepared.sent)
        if (parcel.peer != sender)
          channels.insert({sender, parcel.peer, transfer.channel});
    }
  }
  // Each split takes the channels of which no rank is in it yet.
  while (!channels.empty()) {
    NcclSplit split = emptySplit(plan.numRanks());
    for (auto next = channels.begin(); next != channels.end();) {
      const auto [sender, receiver, channel] = *next;
      if (split.colors[sender] != kNcclNoColor ||
          split.colors[receiver] != kNcclNoColor) {
        ++next;
        continue;
      }
      split.colors[sender] = split.colors[receiver] = static_cast<int>(sender);
      split.keys[receiver] = 1;
      ofMessages[*next] = all.size();
      next = channels.erase(next);
    }
    all.push_back(std::move(split));
  }
}

}  // namespace sbp::cuda
