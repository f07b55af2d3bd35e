// The check that the numbers of a step are finite before they change
// parameters.
//
// A step runs in two parts (execute/Executor.h). Between the two parts each
// rank adds its terms of the loss and of the squared norm of the gradients to
// the agreement that the ranks make in every step anyway
// (train/StepAgreement.h). So before any parameter changes, all ranks know the
// norm of the gradients, and whether the loss and all gradients are finite.
// Where steps overlap, the agreement on a step arrives after the step has
// changed parameters.

#ifndef RUNTIME_MAIN_STEPGUARD_H_
#define RUNTIME_MAIN_STEPGUARD_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/main/Session.h"
#include "runtime/train/StepAgreement.h"

namespace sbp::program {

/// Checks the numbers of each step.
class StepGuard {
 public:
  StepGuard(Session& session, train::StepAgreement& agreement)
      : session(session), agreement(agreement), loss(lossOutput(entry())) {}

  /// Adds this rank's terms of the step to the agreement. Call it after the
  /// first part of the step and before agree() or send(). Fails if the rank's
  /// device does.
  absl::Status addTerms();

  // The functions below refer to the step last agreed on, and return the same
  // on every rank.

  /// Whether the loss and all gradients are finite. The loss counts as finite
  /// if the entry has no loss. A loss that is a maximum or minimum over ranks
  /// counts as finite unless a rank has a NaN.
  bool isFinite() const;

  /// Returns the L2 norm of all gradients together; nullopt if the entry has no
  /// gradients. An element counts once even if several ranks hold copies of it.
  std::optional<double> gradientNorm() const;

  /// Describes what is not finite: "the loss is nan", or "the norm of the
  /// gradients is inf, the loss 2.3". Requires that isFinite() is false.
  std::string finding() const;

  /// Returns finding(), followed by the origin of the first number that is not
  /// finite (execute/NotFiniteOrigin.h) if there is one. Requires that
  /// isFinite() is false. Runs the first part of the step again, so it must be
  /// called before the second part runs. Every rank must call it. Fails as
  /// Executor::runUntilUpdate does.
  absl::StatusOr<std::string> explanation();

  /// Returns a description of a parameter with an element that is not finite,
  /// from the lowest rank that has such a parameter; empty if no rank has one.
  /// Every rank must call it.
  absl::StatusOr<std::string> ruinedParameter() const;

 private:
  const plan::Entry& entry() const { return session.run.entry(); }
  absl::StatusOr<double> lossTerm() const;

  Session& session;
  train::StepAgreement& agreement;
  std::optional<size_t> loss;  // index into Entry::outputs
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STEPGUARD_H_
