#include "runtime/bootstrap/Identity.h"

#include <utility>

#include "fmt/format.h"

namespace sbp::bootstrap {

Identity identify(const Environment& env, Start start) {
  if (!env.jobName.empty()) {
    start.push_back({fmt::format("{}'s job", env.launcher), env.jobName, ""});
  }
  start.push_back({"world size", std::to_string(env.size), ""});
  start = shortened(std::move(start));
  const std::string compared = comparedOf(start);
  const Basis basis = env.secret.empty() ? Basis::kStart : Basis::kSecret;
  const Key key = basis == Basis::kSecret
                      ? Key::from({"sbp job by secret", env.secret})
                      : Key::from({"sbp job by start", compared});
  return {basis, key, std::move(start), digestOf({compared})};
}

}  // namespace sbp::bootstrap
