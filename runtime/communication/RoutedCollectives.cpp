#include "runtime/communication/RoutedCollectives.h"

#include <utility>

#include "runtime/communication/Collective.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/status/Status.h"

namespace sbp::communication {

absl::StatusOr<Collectives*> RoutedCollectives::routeFor(
    const std::vector<int64_t>& ranks, bool isTransfer) const {
  std::string first;
  for (const Route& route : routes_) {
    std::string obstacle = route.obstacle(ranks);
    if (obstacle.empty() && isTransfer) obstacle = route.obstacleOfTransfers;
    if (obstacle.empty()) return route.collectives.get();
    if (first.empty()) first = std::move(obstacle);
  }
  return error("{}", first);
}

absl::StatusOr<std::shared_ptr<const PreparedCollective>>
RoutedCollectives::prepare(
    const std::vector<plan::CollectiveTask>& tasks) const {
  const plan::CollectiveTask& first = tasks.front();
  const std::vector<int64_t> members =
      plan::isLocal(first.kind)
          ? std::vector<int64_t>{rank_}
          : membersOf(groups_[first.group], first.axes, rank_);
  SBP_ASSIGN_OR_RETURN(Collectives* const route,
                       routeFor(members, /*isTransfer=*/false));
  auto prepared = route->prepare(tasks);
  if (prepared.ok()) ofCollectives_[prepared->get()] = route;
  return prepared;
}

absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
RoutedCollectives::prepareTransfer(int64_t number) const {
  SBP_ASSIGN_OR_RETURN(
      Collectives* const route,
      routeFor(ranksOf(transfers_[number], groups_), /*isTransfer=*/true));
  auto prepared = route->prepareTransfer(number);
  if (prepared.ok()) ofTransfers_[prepared->get()] = route;
  return prepared;
}

absl::Status RoutedCollectives::run(
    const PreparedCollective& collective,
    absl::Span<const CollectiveBuffers> buffers) {
  return ofCollectives_.at(&collective)->run(collective, buffers);
}

absl::Status RoutedCollectives::run(plan::TransferTask::Kind kind,
                                    const PreparedTransfer& transfer,
                                    int64_t buffer, int64_t occurrence) {
  return ofTransfers_.at(&transfer)->run(kind, transfer, buffer, occurrence);
}

bool RoutedCollectives::canFinish(plan::TransferTask::Kind finish,
                                  const PreparedTransfer& transfer,
                                  int64_t occurrence) const {
  return ofTransfers_.at(&transfer)->canFinish(finish, transfer, occurrence);
}

int64_t RoutedCollectives::bytesReceived() const {
  int64_t bytes = 0;
  for (const Route& route : routes_)
    bytes += route.collectives->bytesReceived();
  return bytes;
}

}  // namespace sbp::communication
