#include "runtime/bootstrap/Identity.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace sbp::bootstrap {

namespace {

// Returns the item for the launcher's name of the job, which all its ranks
// share.
Item jobItem(const Environment& env) {
  return {fmt::format("{}'s job", env.launcher), env.jobName, ""};
}

}  // namespace

bool isOfJob(const Environment& env, const Start& theirs) {
  if (env.jobName.empty()) return true;
  const Start mine = shortened({jobItem(env)});
  return std::any_of(theirs.begin(), theirs.end(), [&](const Item& item) {
    return item.label == mine[0].label && item.value == mine[0].value;
  });
}

Identity identify(const Environment& env, Start start) {
  if (!env.jobName.empty()) {
    start.push_back(jobItem(env));
  }
  start.push_back({"world size", std::to_string(env.size), ""});
  start = shortened(std::move(start));
  const std::string compared = comparedOf(start);
  const Basis basis = env.secret.empty() ? Basis::kStart : Basis::kSecret;
  const Key key =
      basis == Basis::kSecret
          ? Key::from({"sbp job by secret", env.secret, env.jobName})
          : Key::from({"sbp job by start", compared});
  return {basis, key, std::move(start), digestOf({compared})};
}

}  // namespace sbp::bootstrap
