#include "runtime/main/StartExample.h"

#include <cstdint>

#include "fmt/format.h"
#include "runtime/main/EntryNames.h"
#include "runtime/text/Printable.h"

namespace sbp::program {

StartExample startExampleOf(const plan::Plan& plan, const std::string& path) {
  StartExample example;
  const bool hasFolder = path.find('/') != std::string::npos;
  example.launch = (hasFolder ? "" : "./") + text::printable(path);
  if (plan.numRanks() > 1)
    example.launch =
        fmt::format("sbprun -n {} {}", plan.numRanks(), example.launch);
  const plan::Entry* shown = nullptr;
  for (const plan::Entry& entry : plan.entries)
    if (!shown || entry.name == kTrainEntry) shown = &entry;
  if (!shown) return example;
  constexpr int64_t kNumBytes = 256;
  for (const plan::Tensor& input : shown->inputs) {
    if (input.name == "tokens") {
      example.readsTokens = true;
      example.data = input.below.value_or(0) > kNumBytes ? " --tokens train.bin"
                                                         : " --text book.txt";
      return example;
    }
    if (input.name != kLearningRateInput)
      example.data +=
          fmt::format(" --data {0}={0}.npy", text::printable(input.name));
  }
  return example;
}

}  // namespace sbp::program
