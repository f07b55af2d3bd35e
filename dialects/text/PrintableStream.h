// A stream that makes text printable on its way to another stream.

#ifndef DIALECTS_TEXT_PRINTABLESTREAM_H_
#define DIALECTS_TEXT_PRINTABLESTREAM_H_

#include <cstdint>
#include <string>

#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// Passes lines to `target`, with control characters as escape sequences
/// (runtime/text/Printable.h), except line ends and tabs. Colors that are set
/// by the functions of this class reach `target` as they are.
class PrintableStream : public llvm::raw_ostream {
 public:
  /// `target` must live as long as the stream.
  explicit PrintableStream(llvm::raw_ostream& target)
      : raw_ostream(/*unbuffered=*/true), target_(target) {}
  /// Writes text after the last line end to the target.
  ~PrintableStream() override { passOn(line_.size()); }

  raw_ostream& changeColor(Colors color, bool bold, bool background) override;
  raw_ostream& resetColor() override;
  raw_ostream& reverseColor() override;
  bool is_displayed() const override { return target_.is_displayed(); }
  bool has_colors() const override { return target_.has_colors(); }

 private:
  void write_impl(const char* text, size_t size) override;
  uint64_t current_pos() const override { return position_; }
  /// Writes the first `size` bytes of `line_` to the target.
  void passOn(size_t size);

  llvm::raw_ostream& target_;
  /// Text after the last line end. It is not written yet, because its last
  /// character may be incomplete.
  std::string line_;
  uint64_t position_ = 0;
};

}  // namespace sbp

#endif  // DIALECTS_TEXT_PRINTABLESTREAM_H_
