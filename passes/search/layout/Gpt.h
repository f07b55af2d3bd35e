// A GPT as a chain of blocks.
//
//   embed | layer norm - queries, keys, values - attention - projection |
//         | layer norm - up - gelu - down | ... | layer norm - logits - loss
//
// Attention splits by sequences and by heads, and by positions if keys and
// values are gathered. Layer norm splits by features if statistics are reduced,
// the loss by words of the vocabulary likewise.

#ifndef PASSES_SEARCH_LAYOUT_GPT_H_
#define PASSES_SEARCH_LAYOUT_GPT_H_

#include "passes/search/layout/Chain.h"

namespace sbp::search {

/// Whether a tensor's samples and positions are dimensions of their own, or one
/// dimension of tokens, that attention splits by samples only.
enum class Tokens { Separate, Merged };

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

/// `microBatches` divides the batch.
Chain chainOf(const Gpt& gpt, std::vector<Level> levels, Processor processor);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_GPT_H_
