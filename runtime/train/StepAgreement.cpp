#include "runtime/train/StepAgreement.h"

#include <cstring>

#include "runtime/status/Status.h"

namespace sbp::train {

using communication::Words;

absl::Status StepAgreement::agree() {
  SBP_RETURN_IF_ERROR(send());
  return receive();
}

absl::Status StepAgreement::send() {
  Words mine = {myFacts};
  static_assert(sizeof mine == sizeof myFacts + sizeof mySums);
  std::memcpy(&mine[1], mySums.data(), sizeof mySums);
  myFacts = 0;
  mySums = {};
  return communicator.offerWords(mine);
}

absl::Status StepAgreement::receive() {
  SBP_RETURN_IF_ERROR(communicator.takeWords(words));

  factsOfAll = 0;
  sumsOfAll = {};
  for (const Words& each : words) {
    factsOfAll |= each[0];
    std::array<double, kNumSums> terms;
    std::memcpy(terms.data(), &each[1], sizeof terms);
    for (size_t i = 0; i < kNumSums; ++i) sumsOfAll[i] += terms[i];
  }
  return absl::OkStatus();
}

}  // namespace sbp::train
