#include "runtime/bootstrap/Channel.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace sbp::bootstrap {
namespace {

constexpr size_t kLengthBytes = 4;
constexpr size_t kHeaderBytes = kLengthBytes + 1;

void appendLength(std::string& out, size_t length) {
  for (size_t i = 0; i < kLengthBytes; ++i) {
    out.push_back(static_cast<char>(length >> (8 * i) & 0xff));
  }
}

uint32_t readLength(const char* bytes) {
  uint32_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    length |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i]))
              << (8 * i);
  }
  return length;
}

bool isTransient(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace

void Channel::close() {
  socket = Socket();
  unsent.clear();
  wasClosed = true;
}

void Channel::send(MessageKind kind, std::string_view text) {
  if (!isOpen()) return;
  appendLength(unsent, text.size());
  unsent.push_back(static_cast<char>(kind));
  unsent.append(text);
  flush();
}

// Does not close a broken socket: the last messages of the other end may still
// be unread. receive() reads them, and then closes the channel.
void Channel::flush() {
  while (hasUnsent()) {
    ssize_t sent =
        ::send(socket.fd(), unsent.data(), unsent.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      if (!isTransient(errno)) unsent.clear();
      return;
    }
    unsent.erase(0, sent);
  }
}

std::vector<Message> Channel::receive() {
  std::vector<Message> messages;
  bool reachedEnd = false;
  char block[16384];
  size_t budget = kHeaderBytes + maxTextBytes;
  while (isOpen() && !reachedEnd && budget > 0) {
    ssize_t count =
        recv(socket.fd(), block, std::min(sizeof(block), budget), 0);
    if (count < 0 && isTransient(errno)) break;
    if (count <= 0) {
      reachedEnd = true;
    } else {
      received.append(block, count);
      budget -= count;
    }
  }
  size_t begin = 0;
  while (received.size() - begin >= kHeaderBytes) {
    uint32_t length = readLength(received.data() + begin);
    if (length > maxTextBytes) {
      reachedEnd = true;
      break;
    }
    if (received.size() - begin < kHeaderBytes + length) break;
    auto kind = static_cast<MessageKind>(received[begin + kLengthBytes]);
    messages.push_back({kind, received.substr(begin + kHeaderBytes, length)});
    begin += kHeaderBytes + length;
  }
  received.erase(0, begin);
  if (reachedEnd) close();
  return messages;
}

std::string joinTexts(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) {
    appendLength(joined, text.size());
    joined += text;
  }
  return joined;
}

bool splitTexts(std::string_view joined, std::vector<std::string>& texts) {
  texts.clear();
  while (!joined.empty()) {
    if (joined.size() < kLengthBytes) return false;
    uint32_t length = readLength(joined.data());
    joined.remove_prefix(kLengthBytes);
    if (joined.size() < length) return false;
    texts.emplace_back(joined.substr(0, length));
    joined.remove_prefix(length);
  }
  return true;
}

}  // namespace sbp::bootstrap
