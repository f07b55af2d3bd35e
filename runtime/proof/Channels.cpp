#include "runtime/proof/Channels.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/proof/RendezvousGraph.h"
#include "runtime/status/Status.h"

namespace sbp::proof {
namespace {

/// A message: when its sender starts it, and when its receiver does, among the
/// synchronisation points of each.
struct Starts {
  int64_t send = 0, receive = 0;

  friend bool operator<(const Starts& a, const Starts& b) {
    return a.send < b.send;
  }
};

/// The messages of some transfers, by sender and receiver, in the order in
/// which they are sent.
using Messages = std::map<std::pair<int64_t, int64_t>, std::vector<Starts>>;

/// Returns the messages of each transfer.
absl::StatusOr<std::vector<Messages>> messagesOf(const plan::Plan& plan,
                                                 size_t entry) {
  SBP_ASSIGN_OR_RETURN(const RendezvousGraph graph,
                       buildRendezvousGraph(plan, entry, Channel::kAnyOrder,
                                            Granularity::kPrograms));
  std::vector<Messages> result(plan.entries[entry].transfers.size());
  for (const Rendezvous& message : graph.rendezvous) {
    if (!message.isMessage) continue;
    const Arrival& sender = message.arrivals[0];
    const Arrival& receiver = message.arrivals[1];
    if (sender.syncPoint < 0 || receiver.syncPoint < 0) continue;
    const int64_t task =
        graph.syncPoints[sender.rank][sender.syncPoint].point.task;
    const auto& send =
        std::get<plan::TransferTask>(graph.programs[sender.rank]->tasks[task]);
    result[send.transfer][{sender.rank, receiver.rank}].push_back(
        {sender.syncPoint, receiver.syncPoint});
  }
  for (Messages& ofTransfer : result)
    for (auto& [ranks, starts] : ofTransfer)
      std::sort(starts.begin(), starts.end());
  return result;
}

/// Adds the messages `added` to those of a channel, if senders and receivers
/// then start all in the same order. Returns whether they do.
bool add(const Messages& added, Messages& channel) {
  Messages together;
  for (const auto& [ranks, starts] : added) {
    std::vector<Starts>& merged = together[ranks];
    const std::vector<Starts>& known = channel[ranks];
    std::merge(known.begin(), known.end(), starts.begin(), starts.end(),
               std::back_inserter(merged));
    const bool isInOrder = std::is_sorted(
        merged.begin(), merged.end(),
        [](const Starts& a, const Starts& b) { return a.receive < b.receive; });
    if (!isInOrder) return false;
  }
  for (auto& [ranks, merged] : together) channel[ranks] = std::move(merged);
  return true;
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> channelsOf(const plan::Plan& plan,
                                                size_t entry) {
  SBP_ASSIGN_OR_RETURN(const std::vector<Messages> messages,
                       messagesOf(plan, entry));
  std::vector<Messages> channels;
  std::vector<int64_t> result;
  for (const Messages& ofTransfer : messages) {
    const auto found = std::find_if(
        channels.begin(), channels.end(),
        [&](Messages& channel) { return add(ofTransfer, channel); });
    result.push_back(found - channels.begin());
    if (found == channels.end()) channels.push_back(ofTransfer);
  }
  return result;
}

}  // namespace sbp::proof
