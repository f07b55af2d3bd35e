// Collectives and transfers over one of several routes, such as through the
// memory of GPUs or through host memory. Each collective, and each transfer,
// takes the first route that all its ranks can use.

#ifndef RUNTIME_COMMUNICATION_ROUTEDCOLLECTIVES_H_
#define RUNTIME_COMMUNICATION_ROUTEDCOLLECTIVES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/communication/Collectives.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// A way to carry out collectives and transfers, and its limits.
struct Route {
  std::unique_ptr<Collectives> collectives;
  /// Returns why collectives and transfers among the given ranks cannot take
  /// this route; empty if they can. The function must return the same on each
  /// of these ranks.
  std::function<std::string(const std::vector<int64_t>&)> obstacle;
  /// The reason why no transfer can take this route; empty if transfers can.
  std::string obstacleOfTransfers;
};

/// The collectives and transfers of one rank, each by one of several routes.
class RoutedCollectives : public Collectives {
 public:
  /// Constructs the collectives of rank `rank`. `routes` lists the best route
  /// first. `groups` and `transfers` must outlive this object.
  RoutedCollectives(int64_t rank, const std::vector<plan::Group>& groups,
                    const std::vector<plan::Transfer>& transfers,
                    std::vector<Route> routes)
      : rank_(rank),
        groups_(groups),
        transfers_(transfers),
        routes_(std::move(routes)) {}

  /// Prepare a collective or a transfer on the first route that it can take.
  /// Fail if it can take no route; the error is the obstacle of the first
  /// route.
  absl::StatusOr<std::shared_ptr<const PreparedCollective>> prepare(
      const std::vector<plan::CollectiveTask>& tasks) const override;
  absl::StatusOr<std::shared_ptr<const PreparedTransfer>> prepareTransfer(
      int64_t number) const override;

  absl::Status run(const PreparedCollective& collective,
                   absl::Span<const CollectiveBuffers> buffers) override;
  absl::Status run(plan::TransferTask::Kind kind,
                   const PreparedTransfer& transfer, int64_t buffer,
                   int64_t occurrence) override;
  bool canFinish(plan::TransferTask::Kind finish,
                 const PreparedTransfer& transfer,
                 int64_t occurrence) const override;
  int64_t bytesReceived() const override;

 private:
  /// Returns the first route that a collective (or a transfer, if `isTransfer`)
  /// among `ranks` can take.
  absl::StatusOr<Collectives*> routeFor(const std::vector<int64_t>& ranks,
                                        bool isTransfer) const;

  const int64_t rank_;
  const std::vector<plan::Group>& groups_;
  const std::vector<plan::Transfer>& transfers_;
  const std::vector<Route> routes_;
  // The route that each prepared collective, and each prepared transfer, takes.
  mutable std::map<const PreparedCollective*, Collectives*> ofCollectives_;
  mutable std::map<const PreparedTransfer*, Collectives*> ofTransfers_;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_ROUTEDCOLLECTIVES_H_
