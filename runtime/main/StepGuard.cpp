#include "runtime/main/StepGuard.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/execute/NotFiniteOrigin.h"
#include "runtime/math/Elementary.h"
#include "runtime/math/Nan.h"
#include "runtime/plan/Box.h"
#include "runtime/status/Status.h"

namespace sbp::program {

using Sum = train::StepAgreement::Sum;

absl::Status StepGuard::addTerms() {
  SBP_ASSIGN_OR_RETURN(const double term, lossTerm());
  SBP_ASSIGN_OR_RETURN(const double squares,
                       session.executor.squaresOfGradients());
  agreement.add(Sum::kLoss, term);
  agreement.add(Sum::kSquaresOfGradients, squares);
  return absl::OkStatus();
}

// Returns a number for this rank such that the sum over all ranks is finite if
// and only if the loss counts as finite. Where the loss is a sum over ranks,
// this is the rank's term. If the loss is the maximum or minimum of its terms,
// a term may be infinite although the loss is finite; then only a NaN counts as
// not finite.
absl::StatusOr<double> StepGuard::lossTerm() const {
  if (!loss) return 0;
  const plan::Tensor& tensor = entry().outputs[*loss];
  if (!plan::isPrincipal(session.run.plan.groupOf(tensor), tensor,
                         session.communicator.rank()))
    return 0;
  SBP_ASSIGN_OR_RETURN(const auto term,
                       session.executor.outputs()[*loss].get<float>());
  const bool isSum =
      std::all_of(tensor.placement.begin(), tensor.placement.end(),
                  [](const plan::Component& component) {
                    return component.kind != plan::Component::Kind::kPartial ||
                           component.reduction == plan::ReductionKind::kSum;
                  });
  return isSum || std::isnan(term) ? term : 0.0;
}

bool StepGuard::isFinite() const {
  return std::isfinite(static_cast<float>(agreement.sum(Sum::kLoss))) &&
         std::isfinite(agreement.sum(Sum::kSquaresOfGradients));
}

std::optional<double> StepGuard::gradientNorm() const {
  if (!session.executor.hasGradients()) return std::nullopt;
  return math::squareRoot(agreement.sum(Sum::kSquaresOfGradients));
}

std::string StepGuard::finding() const {
  const float lossValue =
      math::withoutSignOfNan(static_cast<float>(agreement.sum(Sum::kLoss)));
  if (!std::isfinite(lossValue))
    return fmt::format("the loss is {}", lossValue);
  return fmt::format("the norm of the gradients is {}, the loss {:.5g}",
                     math::withoutSignOfNan(*gradientNorm()), lossValue);
}

absl::StatusOr<std::string> StepGuard::explanation() {
  SBP_ASSIGN_OR_RETURN(
      const std::string origin,
      execute::originOfNotFinite(session.run.plan, session.run.selection.entry,
                                 session.executor, session.communicator,
                                 session.run.interruption.mustStopNow));
  return origin.empty() ? finding() : finding() + ": " + origin;
}

absl::StatusOr<std::string> StepGuard::ruinedParameter() const {
  SBP_ASSIGN_OR_RETURN(
      const std::string mine,
      execute::parameterNotFinite(session.run.plan, session.communicator.rank(),
                                  session.executor));
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       session.communicator.allGather(mine));
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

}  // namespace sbp::program
