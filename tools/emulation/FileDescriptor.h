// A file descriptor that closes itself.

#ifndef TOOLS_EMULATION_FILEDESCRIPTOR_H_
#define TOOLS_EMULATION_FILEDESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace sbp::emulation {

/// An open file descriptor, or none (-1).
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }

  int get() const { return number_; }
  bool isOpen() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

}  // namespace sbp::emulation

#endif  // TOOLS_EMULATION_FILEDESCRIPTOR_H_
