#include "runtime/communication/World.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/numbers.h"
#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Rendezvous.h"
#include "runtime/communication/Assembly.h"
#include "runtime/communication/DescriptorLimit.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"
#include "runtime/watchdog/ControlPlane.h"
#include "runtime/watchdog/ThreadControl.h"

namespace sbp::communication {
namespace {

constexpr double kHeartbeatTimeoutSeconds = 5;
constexpr double kConnectTimeoutSeconds = 60;
constexpr double kWaitTimeoutSeconds = 600;

// Longer than any run, but small enough for clocks not to overflow.
constexpr double kForeverSeconds = 1e9;

// Returns `option`, in seconds, if it is positive; otherwise the value of
// environment variable `variable` if it is set, or else `usual`.
absl::StatusOr<double> seconds(double option, const char* variable,
                               double usual) {
  if (option > 0) return std::min(option, kForeverSeconds);
  const char* text = std::getenv(variable);
  if (!text) return usual;
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !(value > 0)) {
    return error("environment variable {} is \"{}\", not a number of seconds",
                 variable, text);
  }
  return std::min(value, kForeverSeconds);
}

absl::StatusOr<WorldOptions> resolved(WorldOptions options) {
  SBP_ASSIGN_OR_RETURN(
      options.heartbeatTimeoutSeconds,
      seconds(options.heartbeatTimeoutSeconds, "SBP_HEARTBEAT_TIMEOUT",
              kHeartbeatTimeoutSeconds));
  SBP_ASSIGN_OR_RETURN(options.waitTimeoutSeconds,
                       seconds(options.waitTimeoutSeconds, "SBP_WAIT_TIMEOUT",
                               kWaitTimeoutSeconds));
  SBP_ASSIGN_OR_RETURN(
      options.connectTimeoutSeconds,
      seconds(options.connectTimeoutSeconds, "SBP_CONNECT_TIMEOUT",
              std::min(kConnectTimeoutSeconds, options.waitTimeoutSeconds)));
  const char* transport = std::getenv("SBP_TRANSPORT");
  if (options.transport == Transport::kAuto && transport) {
    SBP_ASSIGN_OR_RETURN(options.transport, parseTransport(transport));
  }
  return options;
}

std::string nameOf(Transport transport) {
  switch (transport) {
    case Transport::kAuto:
      return "auto";
    case Transport::kSharedMemory:
      return "shm";
    case Transport::kUcx:
      return "ucx";
  }
  return "";
}

// Returns everything that must be the same on all ranks. Ranks with different
// groups or arenas would misread each other's memory.
bootstrap::StartArguments startOf(const WorldOptions& options) {
  std::vector<std::string> groups;
  for (const plan::Group& group : options.groups) {
    std::vector<int64_t> sizes;
    for (const plan::Axis& axis : group.axes) sizes.push_back(axis.size);
    groups.push_back(fmt::format("{}", fmt::join(sizes, "x")));
    if (!group.ranks.empty())
      groups.back() += fmt::format(" of {}", fmt::join(group.ranks, " "));
  }
  bootstrap::StartArguments start = options.start;
  start.push_back({"axes of", fmt::format("{}", fmt::join(groups, ", "))});
  start.push_back(
      {"arenas of", fmt::format("{}", fmt::join(options.arenaBytes, ", "))});
  start.push_back({"--transport", nameOf(options.transport)});
  return start;
}

// Every rank finds the same error; only rank 0 reports it.
absl::Status checkSize(const bootstrap::Environment& env, int64_t wanted) {
  if (env.size == wanted) return absl::OkStatus();
  std::string message =
      env.launcher == "none"
          ? fmt::format(
                "the program is for {} and was started as one: start it with "
                "`sbprun -n {}`",
                text::counted(wanted, "rank"), wanted)
          : fmt::format(
                "the program is for {}, the world that {} has "
                "started has {} ({})",
                text::counted(wanted, "rank"), env.launcher, env.size,
                env.variables);
  for (const bootstrap::OtherLauncher& other : env.contradictions) {
    message += fmt::format("; {} says {}, which counts if the former are unset",
                           other.launcher, other.variables);
  }
  return env.rank == 0 ? absl::FailedPreconditionError(message)
                       : absl::AbortedError(message);
}

}  // namespace

absl::StatusOr<Transport> parseTransport(std::string_view text) {
  if (text == "auto") return Transport::kAuto;
  if (text == "shm") return Transport::kSharedMemory;
  if (text == "ucx") return Transport::kUcx;
  return error("transport \"{}\" is none of auto, shm, ucx", text);
}

absl::StatusOr<std::unique_ptr<Communicator>> connect(
    const WorldOptions& givenOptions) {
  SBP_ASSIGN_OR_RETURN(WorldOptions options, resolved(givenOptions));
  SBP_ASSIGN_OR_RETURN(bootstrap::Environment env,
                       bootstrap::readEnvironment());
  SBP_RETURN_IF_ERROR(checkSize(env, options.groups.front().size()));
  auto flag = std::make_shared<watchdog::AbortFlag>();
  if (env.size == 1) return assembleAlone(options, flag);
  // One rank of a host reports the error for all its ranks.
  if (absl::Status status = raiseDescriptorLimit(env.size); !status.ok())
    return env.localRank == 0 ? status : absl::AbortedError(textOf(status));
  SBP_ASSIGN_OR_RETURN(
      bootstrap::Connections connections,
      bootstrap::meet(env, startOf(options),
                      bootstrap::WaitLimit(options.connectTimeoutSeconds,
                                           options.stopSignal)));
  auto control = std::make_unique<watchdog::ControlPlane>(
      std::move(connections),
      watchdog::ControlPlane::WaitLimits{options.heartbeatTimeoutSeconds,
                                         options.waitTimeoutSeconds},
      kAbortedExitCode, flag);
  return assemble(options, env.rank, RankKind::kProcess, std::move(control),
                  flag);
}

absl::Status runInProcess(
    const WorldOptions& givenOptions,
    const std::function<absl::Status(Communicator&)>& body) {
  SBP_ASSIGN_OR_RETURN(WorldOptions options, resolved(givenOptions));
  const int64_t numRanks = options.groups.front().size();
  auto world = std::make_shared<watchdog::ThreadWorld>(numRanks);
  std::shared_ptr<watchdog::AbortFlag> flag(world, &world->flag);
  // The communicators outlive all threads, because a rank may still read the
  // memory of a rank that has failed.
  std::vector<std::unique_ptr<Communicator>> communicators(numRanks);
  std::vector<absl::Status> statuses(numRanks);
  auto runRank = [&](int64_t rank) -> absl::Status {
    SBP_ASSIGN_OR_RETURN(
        communicators[rank],
        assemble(options, rank, RankKind::kThread,
                 std::make_unique<watchdog::ThreadControl>(world, rank), flag));
    absl::Status status = body(*communicators[rank]);
    if (status.ok()) return communicators[rank]->finish();
    communicators[rank]->fail(status);
    return status;
  };
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    threads.emplace_back([&, rank] { statuses[rank] = runRank(rank); });
  }
  for (std::thread& thread : threads) thread.join();
  // An aborted rank only repeats the error of another one.
  const absl::Status* first = &statuses[0];
  for (const absl::Status& status : statuses) {
    if (first->ok() ||
        (absl::IsAborted(*first) && !status.ok() && !absl::IsAborted(status))) {
      first = &status;
    }
  }
  return *first;
}

}  // namespace sbp::communication
