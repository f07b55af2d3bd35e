#include "dialects/text/PrintableStream.h"

#include "runtime/text/Printable.h"

namespace sbp {

void PrintableStream::write_impl(const char* text, size_t size) {
  position_ += size;
  line_.append(text, size);
  passOn(line_.rfind('\n') + 1);
}

void PrintableStream::passOn(size_t size) {
  if (size == 0) return;
  target_ << text::printable(std::string_view(line_).substr(0, size), "\n\t");
  target_.flush();
  line_.erase(0, size);
}

llvm::raw_ostream& PrintableStream::changeColor(Colors color, bool bold,
                                                bool background) {
  passOn(line_.size());
  target_.changeColor(color, bold, background);
  return *this;
}

llvm::raw_ostream& PrintableStream::resetColor() {
  passOn(line_.size());
  target_.resetColor();
  return *this;
}

llvm::raw_ostream& PrintableStream::reverseColor() {
  passOn(line_.size());
  target_.reverseColor();
  return *this;
}

}  // namespace sbp
