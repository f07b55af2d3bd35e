// Whether the numbers of a step are fit to change parameters.
//
// A step runs in two parts (execute/Executor.h). Between them each rank looks
// at its part of the loss and of the gradients, and the ranks tell each other
// in the exchange that they make in every step anyway. So all of them know
// alike, before any parameter has changed, whether all numbers are finite, and
// the norm of the gradients besides.

#ifndef RUNTIME_MAIN_STEPGUARD_H_
#define RUNTIME_MAIN_STEPGUARD_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/main/Session.h"
#include "runtime/train/StepAgreement.h"

namespace sbp::program {

class StepGuard {
 public:
  StepGuard(Session& session, train::StepAgreement& agreement)
      : session(session), agreement(agreement), loss(lossOutput(entry())) {}

  /// Adds what this rank has of the step to the agreement, which is to be made
  /// next. The first part of the step has run.
  void look();

  // Of the step on which all last agreed, on every rank alike.

  /// Whether the loss and all gradients are finite.
  bool isFinite() const;

  /// The L2 norm of all gradients together, in which each counts once, however
  /// many ranks have a copy; nothing if the entry has none.
  std::optional<double> gradientNorm() const;

  /// What is not finite: "the loss is nan".
  std::string finding() const;

  /// finding(), and where that comes from. Takes as long as the step has taken,
  /// and every rank must call it. Fails as Executor::runUntilUpdate does.
  absl::StatusOr<std::string> explanation();

  /// The parameter that is not finite, on whichever rank; empty if all are.
  /// Every rank must call it.
  absl::StatusOr<std::string> ruinedParameter() const;

 private:
  const plan::Entry& entry() const { return session.run.entry(); }
  double lossTerm() const;

  Session& session;
  train::StepAgreement& agreement;
  std::optional<size_t> loss;  // among the outputs
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STEPGUARD_H_
