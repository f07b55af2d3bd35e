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
  explicit FileDescriptor(int number) : number(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : number(std::exchange(other.number, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~FileDescriptor() {
    if (number >= 0) close(number);
  }

  int get() const { return number; }
  bool isOpen() const { return number >= 0; }

 private:
  int number = -1;
};

}  // namespace sbp::emulation

#endif  // TOOLS_EMULATION_FILEDESCRIPTOR_H_
