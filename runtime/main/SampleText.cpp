#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "runtime/file/Show.h"
#include "runtime/main/Actions.h"
#include "runtime/plan/Box.h"
#include "runtime/random/Philox.h"
#include "runtime/sample/NextToken.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Gather.h"
#include "runtime/tensor/Rows.h"
#include "runtime/text/Printable.h"

namespace sbp::program {
namespace {

/// Writes the last bytes of `text` to the start of the input, which holds
/// `length` tokens. Fills the rest with zeros, which a causal model does not
/// read. Returns the position of the last byte.
absl::StatusOr<int64_t> setWindow(Session& session, const std::string& text,
                                  int64_t length) {
  const plan::Tensor& input = session.run.entry().inputs[0];
  const size_t shown = std::min(text.size(), size_t(length));
  auto window = tensor::HostTensor::zeros(input.elementType, input.shape);
  for (size_t i = 0; i < shown; ++i) {
    const auto token =
        static_cast<unsigned char>(text[text.size() - shown + i]);
    if (input.elementType == plan::ElementType::kI32) {
      window.elements<int32_t>()[i] = token;
    } else {
      window.elements<int64_t>()[i] = token;
    }
  }
  const plan::Group& group = session.run.plan.groupOf(input);
  const int64_t rank = session.communicator.rank();
  if (group.has(rank))
    SBP_RETURN_IF_ERROR(
        session.executor.inputs()[0].write([&](std::byte* part) {
          tensor::takeBox(window.data.data(), input.shape,
                          plan::localBox(group, input, rank),
                          plan::byteWidth(input.elementType), part);
          return absl::OkStatus();
        }));
  return int64_t(shown) - 1;
}

/// Chooses the byte after `position` on rank 0, by random number `index`, and
/// sends it to the other ranks.
absl::StatusOr<char> chooseByte(Session& session, int64_t position,
                                int64_t index) {
  const plan::Tensor& output = session.run.entry().outputs[0];
  const int64_t numBytes = session.run.entry().inputs[0].below.value_or(256);
  SBP_ASSIGN_OR_RETURN(
      tensor::HostTensor logits,
      tensor::gather(session.communicator, session.run.plan.groupOf(output),
                     output, session.executor.outputs()[0]));
  char byte = 0;
  if (session.isFirstRank()) {
    logits = logits.withoutBFloat16();
    const int64_t vocabulary = output.shape.back();
    const double uniform = random::uniform(
        session.settings.seed, random::streamOf("sample"), uint64_t(index));
    byte =
        char(sample::nextToken(logits.elements<float>() + position * vocabulary,
                               std::min({vocabulary, numBytes, int64_t{256}}),
                               session.run.options.choice, uniform));
    for (int64_t peer = 1; peer < session.communicator.size(); ++peer)
      SBP_RETURN_IF_ERROR(session.communicator.send(peer, &byte, 1));
  } else {
    SBP_RETURN_IF_ERROR(session.communicator.receive(0, &byte, 1));
  }
  return byte;
}

void print(const Session& session, const std::string& text) {
  if (!session.isFirstRank()) return;
  // A terminal would execute control characters in the model's output.
  const bool isTerminal = isatty(STDOUT_FILENO);
  file::show(stdout, isTerminal ? text::printable(text, "\n\t") : text);
}

}  // namespace

absl::Status sampleText(Session& session) {
  const int64_t length = session.run.entry().inputs[0].shape.back();
  std::string text = session.run.options.prompt;
  print(session, text);
  for (int64_t i = 0; i < session.run.options.sampleLength; ++i) {
    session.trace.beginStep(i + 1);
    SBP_ASSIGN_OR_RETURN(const int64_t position,
                         setWindow(session, text, length));
    SBP_RETURN_IF_ERROR(
        session.executor.run(session.run.interruption.mustStopNow));
    session.trace.endStep();
    SBP_RETURN_IF_ERROR(
        session.dumps.collect(session.executor, session.communicator));
    SBP_ASSIGN_OR_RETURN(const char byte, chooseByte(session, position, i));
    text += byte;
    print(session, std::string(1, byte));
  }
  print(session, "\n");
  return absl::OkStatus();
}

}  // namespace sbp::program
