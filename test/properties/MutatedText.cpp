#include "test/properties/MutatedText.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp::properties {
namespace {

bool isWordLetter(char letter) {
  return llvm::isAlnum(letter) || letter == '_';
}

/// Splits `text` into words, numbers, single signs, and the space between them.
/// MLIR's `4x8xf32` would be one word, so an `x` after a digit is a sign.
std::vector<std::string> tokensOf(llvm::StringRef text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    size_t length = 1;
    if (llvm::isDigit(text.front()))
      length = text.take_while(llvm::isDigit).size();
    else if (isWordLetter(text.front()))
      length = text.take_while(isWordLetter).size();
    else if (llvm::isSpace(text.front()))
      length = text.take_while(llvm::isSpace).size();
    if (text.front() == 'x' && !tokens.empty() &&
        llvm::isDigit(tokens.back().back()))
      length = 1;
    tokens.push_back(text.take_front(length).str());
    text = text.drop_front(length);
  }
  return tokens;
}

bool isNumber(llvm::StringRef token) { return llvm::isDigit(token.front()); }

/// Returns the index of the first token equal to `word` after `from`, or `from`
/// if there is none.
size_t after(llvm::StringRef word, const std::vector<std::string>& tokens,
             size_t from) {
  auto found = std::find(tokens.begin() + from, tokens.end(), word);
  return found == tokens.end() ? from : found - tokens.begin();
}

std::string anotherNumber(Choices& choices) {
  constexpr llvm::StringRef kNumbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "5",
                                          "-1",
                                          "31",
                                          "1048576",
                                          "4294967296",
                                          "9223372036854775807",
                                          "18446744073709551616"};
  return choices.pick(kNumbers).str();
}

}  // namespace

std::string mutated(llvm::StringRef text, Choices& choices) {
  std::vector<std::string> tokens = tokensOf(text);
  for (int64_t left = choices.between(1, 3); left > 0; --left) {
    // Half of the mistakes are in placements and machines, which the project's
    // own parsers and verifiers read.
    size_t at = choices.below(tokens.size());
    if (choices.chance(50))
      at = std::min(after("sbp", tokens, at) + choices.below(12),
                    tokens.size() - 1);
    // A change of spaces would have no effect.
    while (llvm::isSpace(tokens[at].front()) && at + 1 < tokens.size()) ++at;
    size_t other = choices.below(tokens.size());
    switch (choices.below(6)) {
      case 0:
        tokens[at].clear();
        break;
      case 1:
        tokens[at] += " " + tokens[at];
        break;
      case 2:
        std::swap(tokens[at], tokens[other]);
        break;
      case 3:
        tokens[at] = tokens[other];
        break;
      default:
        for (size_t i = 0; i < tokens.size(); ++i)
          if (size_t near = (at + i) % tokens.size();
              !tokens[near].empty() && isNumber(tokens[near])) {
            tokens[near] = anotherNumber(choices);
            break;
          }
    }
    for (std::string& token : tokens)
      if (token.empty()) token = " ";
  }
  std::string result;
  for (const std::string& token : tokens) result += token;
  return result;
}

}  // namespace sbp::properties
