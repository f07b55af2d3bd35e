#include "runtime/bootstrap/Identity.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"

namespace sbp::bootstrap {

namespace {

// Returns the argument for the launcher's name of the job, which all its ranks
// share.
StartArgument jobArgument(const Environment& env) {
  return {fmt::format("{}'s job", env.launcher), env.jobName, ""};
}

}  // namespace

bool hasJobName(const Environment& env, const StartArguments& theirs) {
  if (env.jobName.empty()) return true;
  const StartArguments mine = shortened({jobArgument(env)});
  return std::any_of(theirs.begin(), theirs.end(),
                     [&](const StartArgument& argument) {
                       return argument.label == mine[0].label &&
                              argument.value == mine[0].value;
                     });
}

Identity identify(const Environment& env, StartArguments start) {
  if (!env.jobName.empty()) {
    start.push_back(jobArgument(env));
  }
  start.push_back({"world size", std::to_string(env.size), ""});
  start = shortened(std::move(start));
  const std::string compared = textToCompare(start);
  const KeySource keySource =
      env.secret.empty() ? KeySource::kStart : KeySource::kSecret;
  const Key key =
      keySource == KeySource::kSecret
          ? Key::from({"sbp job by secret", env.secret, env.jobName})
          : Key::from({"sbp job by start", compared});
  return {keySource, key, std::move(start), digestOf({compared})};
}

}  // namespace sbp::bootstrap
