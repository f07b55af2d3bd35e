// The check that the numbers of a step are finite before they change
// parameters.
//
// A step runs in two parts (execute/Executor.h). Between them each rank adds
// its terms of the loss and of the squared norm of the gradients to the
// agreement, which the ranks make in every step anyway (train/StepAgreement.h).
// So all ranks know, before any parameter has changed, whether the loss and all
// gradients are finite, and the norm of the gradients.

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
  /// first part of the step and before agree() or send().
  void addTerms();

  // The functions below refer to the step last agreed on, and return the same
  // on every rank.

  /// Whether the loss and all gradients are finite.
  bool isFinite() const;

  /// Returns the L2 norm of all gradients together, in which an element counts
  /// once even if several ranks hold copies; nullopt if the entry has no
  /// gradients.
  std::optional<double> gradientNorm() const;

  /// Describes what is not finite: "the loss is nan". Requires that isFinite()
  /// is false.
  std::string finding() const;

  /// Returns finding() and the origin of the first number that is not finite
  /// (execute/NotFiniteOrigin.h). Runs the first part of the step again. Every
  /// rank must call it. Fails as Executor::runUntilUpdate does.
  absl::StatusOr<std::string> explanation();

  /// Returns a description of a parameter that is not finite on any rank; empty
  /// if there is none. Every rank must call it.
  absl::StatusOr<std::string> ruinedParameter() const;

 private:
  const plan::Entry& entry() const { return session.run.entry(); }
  double lossTerm() const;

  Session& session;
  train::StepAgreement& agreement;
  std::optional<size_t> loss;  // index into Entry::outputs
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STEPGUARD_H_
