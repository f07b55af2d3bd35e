// Tables of the words by which text formats name the values of an enumeration.
// The same table serves for writing and for reading. Each format has its own
// words for the same types: f32 in plans, <f4 in .npy files, F32 in
// safetensors.

#ifndef RUNTIME_PLAN_WORDS_H_
#define RUNTIME_PLAN_WORDS_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace sbp::plan {

/// A row of a table: a value and its word.
template <typename Enum>
struct Word {
  Enum value;
  std::string_view text;
};

/// Returns the word for `value`; "?" if it has none.
template <typename Enum, size_t n>
std::string_view textOf(const Word<Enum> (&words)[n], Enum value) {
  for (const Word<Enum>& word : words)
    if (word.value == value) return word.text;
  return "?";
}

/// Returns the value that `text` stands for; nullopt if there is none.
template <typename Enum, size_t n>
std::optional<Enum> valueOf(const Word<Enum> (&words)[n],
                            std::string_view text) {
  for (const Word<Enum>& word : words)
    if (word.text == text) return word.value;
  return std::nullopt;
}

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_WORDS_H_
