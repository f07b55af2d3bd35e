#include "runtime/train/StepAgreement.h"

#include <functional>

#include "gtest/gtest.h"
#include "runtime/communication/World.h"
#include "runtime/status/Status.h"

namespace sbp::train {
namespace {

using Fact = StepAgreement::Fact;
using Sum = StepAgreement::Sum;
using communication::Communicator;

absl::Status onThreeRanks(
    const std::function<absl::Status(Communicator&)>& body) {
  communication::WorldOptions options;
  options.groups = {plan::Group{{"rank", 3}}};
  options.arenaBytes = {0, 0, 0};
  return communication::runInProcess(options, body);
}

absl::Status expect(bool isSo, const char* what) {
  return isSo ? absl::OkStatus() : absl::InternalError(what);
}

TEST(StepAgreement, TellsAllRanksWhatOneKnowsInThatStepAlone) {
  const absl::Status status =
      onThreeRanks([](Communicator& communicator) -> absl::Status {
        StepAgreement agreement(communicator);
        if (communicator.rank() == 2) agreement.note(Fact::kInterrupted);
        SBP_RETURN_IF_ERROR(agreement.agree());
        SBP_RETURN_IF_ERROR(
            expect(agreement.has(Fact::kInterrupted), "rank 2 noted it"));
        SBP_RETURN_IF_ERROR(agreement.agree());
        return expect(!agreement.has(Fact::kInterrupted),
                      "nobody noted it in this step");
      });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(StepAgreement, SumsUpWhatRanksAddInThatStep) {
  const absl::Status status =
      onThreeRanks([](Communicator& communicator) -> absl::Status {
        StepAgreement agreement(communicator);
        for (double step : {1.0, 2.0}) {
          agreement.add(Sum::kLoss, step);
          agreement.add(Sum::kSquaresOfGradients, step * 0.5);
          agreement.add(Sum::kSquaresOfGradients,
                        10.0 * static_cast<double>(communicator.rank()));
          SBP_RETURN_IF_ERROR(agreement.agree());
          SBP_RETURN_IF_ERROR(
              expect(agreement.sum(Sum::kLoss) == 3 * step, "the losses"));
          SBP_RETURN_IF_ERROR(
              expect(agreement.sum(Sum::kSquaresOfGradients) == 1.5 * step + 30,
                     "the squares"));
        }
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace sbp::train
