// A GPT as a chain of blocks.
//
//   embed | layer norm - queries, keys, values - attention - projection |
//         | layer norm - up - gelu - down | ... | layer norm - logits - loss
//
// Attention can be split by sequences and by heads. It can also be split by
// positions, and then gathers keys and values. Layer norm can be split by
// features, and then reduces statistics. The loss can be split by words of the
// vocabulary in the same way.

#ifndef TOOLS_LAB_GPT_H_
#define TOOLS_LAB_GPT_H_

#include "passes/search/chain/Chain.h"

namespace sbp::search {

/// Whether samples and positions of a tensor are two dimensions, or one
/// dimension of tokens, which attention can split by samples only.
enum class Tokens { Separate, Merged };

/// Sizes of a GPT and of its batch.
struct Gpt {
  int64_t layers = 96;
  int64_t hidden = 12288;
  int64_t heads = 96;
  int64_t length = 2048;
  int64_t vocabulary = 51200;
  int64_t batch = 1536;  // sequences per step
  int64_t microBatches = 24;
  int64_t bytesPerElement = 2;
  Tokens tokens = Tokens::Separate;
};

/// Returns the chain of `gpt`. `microBatches` must divide the batch.
Chain chainOf(const Gpt& gpt, std::vector<Level> levels, Processor processor);

}  // namespace sbp::search

#endif  // TOOLS_LAB_GPT_H_
