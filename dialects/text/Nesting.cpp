#include "dialects/text/Nesting.h"

#include <algorithm>
#include <cstdint>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace sbp {
namespace {

/// Greatest nesting depth. It is ten times the depth that any program needs,
/// and a tenth of the depth that the parser was measured to handle on a stack
/// of 8 MiB.
constexpr int64_t kMaxDepth = 256;

/// Greatest number of types or attributes in the expansion of an alias. If each
/// alias uses the previous one twice, each doubles the size of the expansion,
/// and a diagnostic may print all of it.
constexpr int64_t kMaxAliasSize = 65536;

/// Greatest length of a shape such as `4x4x4xf32`, in bytes. For each extent
/// the parser reads the rest of the shape again, which takes quadratic time.
constexpr size_t kMaxShapeLength = 4096;

bool isWordLetter(char letter) {
  return llvm::isAlnum(letter) || letter == '_' || letter == '$' ||
         letter == '.';
}

/// A single pass over the text that tracks open brackets and alias definitions.
class NestingScan {
 public:
  explicit NestingScan(llvm::StringRef text) : text_(text) {}

  std::optional<TextFault> run() {
    while (at_ < text_.size() && !fault_) step();
    return std::move(fault_);
  }

 private:
  /// An open bracket.
  struct Level {
    char close = 0;
    int64_t outer = 0;  // depth outside of it
  };
  /// Depth of an alias's definition, and number of types or attributes in its
  /// expansion.
  struct Alias {
    int64_t depth = 0, size = 1;
  };

  /// Reads the next token or character.
  void step() {
    llvm::StringRef rest = text_.drop_front(at_);
    if (rest.starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (rest.starts_with("->")) {
      at_ += 2;
      return;
    }
    switch (char letter = rest.front()) {
      case '"':
        skipString();
        return;
      case '#':
      case '!':
        readAlias();
        return;
      case '(':
        open(')');
        break;
      case '[':
        open(']');
        break;
      case '{':
        open('}');
        break;
      case '<':
        open('>');
        break;
      case ')':
      case ']':
      case '}':
      case '>':
        close(letter);
        break;
      case ',':
        // The next element begins at the depth of the bracket again.
        if (!levels_.empty()) depth_ = levels_.back().outer + 1;
        break;
      case '+':
      case '-':
      case '*':
        addOperator();
        break;
      case '\n':
        if (levels_.empty() && definitionHasBegun_) defined_ = nullptr;
        break;
      default:
        if (isWordLetter(letter)) {
          readWord();
          return;
        }
    }
    ++at_;
  }

  void skipString() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"' || text_[at_] == '\n') {
        ++at_;
        return;
      }
    }
  }

  llvm::StringRef takeWord() {
    llvm::StringRef word = text_.drop_front(at_).take_while(isWordLetter);
    at_ += word.size();
    return word;
  }

  void readWord() {
    size_t begin = at_;
    llvm::StringRef word = takeWord();
    definitionHasBegun_ = true;
    if (llvm::isDigit(word.front()) && word.size() > kMaxShapeLength)
      report(begin, fmt::format("a shape or number of {} characters; at most "
                                "{} are read",
                                word.size(), kMaxShapeLength));
    if (word == "floordiv" || word == "ceildiv" || word == "mod") addOperator();
  }

  /// Reads `#name`: a use of the alias, or its definition if `=` follows.
  void readAlias() {
    size_t begin = at_++;
    takeWord();
    llvm::StringRef name = text_.slice(begin, at_);
    llvm::StringRef rest = text_.drop_front(at_).ltrim(" \t");
    if (levels_.empty() && rest.consume_front("=") && !rest.starts_with("=")) {
      defined_ = &aliases_[name];
      *defined_ = Alias();
      definitionHasBegun_ = false;
      at_ = text_.size() - rest.size();
      return;
    }
    definitionHasBegun_ = true;
    auto known = aliases_.find(name);
    if (known == aliases_.end()) return;
    Alias used = known->second;
    reach(begin, depth_ + used.depth);
    if (!defined_) return;
    defined_->size += used.size;
    if (defined_->size > kMaxAliasSize)
      report(begin, fmt::format("this alias stands for more than {} types or "
                                "attributes in all",
                                kMaxAliasSize));
  }

  void open(char close) {
    definitionHasBegun_ = true;
    levels_.push_back({close, depth_});
    reach(at_, ++depth_);
  }

  void close(char bracket) {
    // The `>` of "a > b" closes no bracket. A closing bracket also closes the
    // unclosed brackets inside of its own.
    if (bracket == '>' && (levels_.empty() || levels_.back().close != '>'))
      return;
    auto matches = [&](const Level& level) { return level.close == bracket; };
    if (llvm::none_of(levels_, matches)) return;
    while (!matches(levels_.back())) levels_.pop_back();
    depth_ = levels_.back().outer;
    levels_.pop_back();
  }

  /// Counts an operator of an affine expression, which is in parentheses.
  void addOperator() {
    if (!levels_.empty() && levels_.back().close == ')') reach(at_, ++depth_);
  }

  /// Records that the text at `offset` has depth `depth`.
  void reach(size_t offset, int64_t depth) {
    if (defined_) defined_->depth = std::max(defined_->depth, depth);
    if (depth > kMaxDepth)
      report(offset, fmt::format("the text is nested {} levels deep here; at "
                                 "most {} are read",
                                 depth, kMaxDepth));
  }

  void report(size_t offset, std::string message) {
    if (!fault_) fault_ = TextFault{offset, std::move(message)};
  }

  llvm::StringRef text_;
  size_t at_ = 0;
  int64_t depth_ = 0;
  llvm::SmallVector<Level, 32> levels_;
  llvm::StringMap<Alias> aliases_;
  /// The alias that is being defined, or null. A definition ends with its line,
  /// or with the brackets that were opened in it.
  Alias* defined_ = nullptr;
  bool definitionHasBegun_ = false;
  std::optional<TextFault> fault_;
};

}  // namespace

std::optional<TextFault> findTextFault(llvm::StringRef text) {
  return NestingScan(text).run();
}

}  // namespace sbp
