#include "codegen/cuda/testing/nccl/Operations.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "runtime/math/BFloat16.h"

namespace sbp::nccl {
namespace {

std::string_view bytesAt(const std::byte* memory, size_t count) {
  return {reinterpret_cast<const char*>(memory), count};
}

template <typename T>
T combine(T a, T b, int reduction) {
  switch (reduction) {
    case kMax:
      return std::max(a, b);
    case kMin:
      return std::min(a, b);
    default:
      return static_cast<T>(a + b);
  }
}

template <>
math::BFloat16 combine(math::BFloat16 a, math::BFloat16 b, int reduction) {
  return math::BFloat16(combine<float>(a, b, reduction));
}

/// Combines elements [first, first + count) of the members' data. As in a ring,
/// each piece begins with another member, and every sum is rounded.
template <typename T>
void reduce(const std::vector<std::string>& data, size_t first, size_t count,
            int reduction, std::byte* target) {
  constexpr size_t kPiece = 16;  // elements
  const auto elementOf = [&](size_t member, size_t index) {
    T value;
    std::memcpy(&value, data[member].data() + (first + index) * sizeof(T),
                sizeof value);
    return value;
  };
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = i / kPiece % data.size();
    T result = elementOf(begin, i);
    for (size_t next = 1; next < data.size(); ++next)
      result = combine(result, elementOf((begin + next) % data.size(), i),
                       reduction);
    std::memcpy(target + i * sizeof(T), &result, sizeof result);
  }
}

void reduce(const std::vector<std::string>& data, size_t first,
            const Request& request) {
  const auto with = [&](auto element) {
    reduce<decltype(element)>(data, first, request.count, request.reduction,
                              request.target);
  };
  switch (request.type) {
    case kInt8:
      return with(int8_t());
    case kUint8:
      return with(uint8_t());
    case kInt32:
      return with(int32_t());
    case kInt64:
      return with(int64_t());
    case kFloat32:
      return with(float());
    case kBFloat16:
      return with(math::BFloat16());
  }
}

/// An all-reduce, an all-gather or a reduce-scatter.
class Collective : public Operation {
 public:
  Collective(Communicator& communicator, const Request& request)
      : Operation(communicator, request),
        number_(communicator.nextCollective++) {}

  void start() override {
    size_t bytes = request_.count * bytesOf(request_.type);
    if (request_.kind == "reduce-scatter") bytes *= communicator_.size();
    communicator_.folder().put(
        fileOf(communicator_.rank()),
        header() + std::string(bytesAt(request_.source, bytes)));
  }

  bool isReady() override {
    while (numHere_ < communicator_.size() &&
           communicator_.folder().has(fileOf(numHere_)))
      ++numHere_;
    return numHere_ == communicator_.size();
  }

  std::string finish() override {
    std::vector<std::string> data;
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      data.push_back(communicator_.folder().get(fileOf(rank)).value_or(""));
      if (std::string fault = takeHeader(data.back()); !fault.empty())
        return fault;
    }
    if (request_.kind == "all-gather") {
      std::byte* next = request_.target;
      for (const std::string& piece : data) {
        std::memcpy(next, piece.data(), piece.size());
        next += piece.size();
      }
    } else {
      const bool isScatter = request_.kind == "reduce-scatter";
      reduce(data, isScatter ? communicator_.rank() * request_.count : 0,
             request_);
    }
    return "";
  }

  void keepFile() override {
    communicator_.oldFiles.push_back(fileOf(communicator_.rank()));
  }

 private:
  std::string fileOf(int rank) const {
    return communicator_.collectiveOf(rank, number_);
  }

  const int64_t number_;
  int numHere_ = 0;
};

/// A send. It ends when the receiver has the message, as NCCL permits.
class Send : public Operation {
 public:
  Send(Communicator& communicator, const Request& request)
      : Operation(communicator, request),
        file_(communicator.messageOf(communicator.rank(), request.peer,
                                     communicator.nextSends[request.peer]++)) {}

  void start() override {
    communicator_.folder().put(
        file_, header() + std::string(bytesAt(
                              request_.source,
                              request_.count * bytesOf(request_.type))));
  }
  bool isReady() override { return !communicator_.folder().has(file_); }
  std::string finish() override { return ""; }

 private:
  const std::string file_;
};

class Receive : public Operation {
 public:
  Receive(Communicator& communicator, const Request& request)
      : Operation(communicator, request),
        file_(communicator.messageOf(
            request.peer, communicator.rank(),
            communicator.nextReceives[request.peer]++)) {}

  void start() override {}
  bool isReady() override {
    if (!message_ && communicator_.folder().has(file_)) {
      message_ = communicator_.folder().get(file_);
      communicator_.folder().remove(file_);
    }
    return message_.has_value();
  }
  std::string finish() override {
    if (std::string fault = takeHeader(*message_); !fault.empty()) return fault;
    std::memcpy(request_.target, message_->data(), message_->size());
    return "";
  }

 private:
  const std::string file_;
  std::optional<std::string> message_;
};

}  // namespace

size_t bytesOf(int type) {
  switch (type) {
    case kInt8:
    case kUint8:
      return 1;
    case kBFloat16:
      return 2;
    case kInt32:
    case kFloat32:
      return 4;
    case kInt64:
      return 8;
    default:
      return 0;
  }
}

std::unique_ptr<Operation> Operation::create(Communicator& communicator,
                                             const Request& request) {
  if (request.kind == "send")
    return std::make_unique<Send>(communicator, request);
  if (request.kind == "receive")
    return std::make_unique<Receive>(communicator, request);
  return std::make_unique<Collective>(communicator, request);
}

std::string Operation::describe() const {
  return fmt::format("rank {} of {}: {}{} of {} elements", communicator_.rank(),
                     communicator_.size(), request_.kind,
                     request_.peer < 0
                         ? ""
                         : fmt::format(" to or from rank {}", request_.peer),
                     request_.count);
}

std::string Operation::header() const {
  const bool isMessage = request_.peer >= 0;
  return fmt::format("{} of {} elements of type {}, reduction {}\n",
                     isMessage ? "message" : request_.kind, request_.count,
                     request_.type, isMessage ? 0 : request_.reduction);
}

std::string Operation::takeHeader(std::string& file) const {
  const std::string mine = header();
  const std::string theirs = file.substr(0, file.find('\n') + 1);
  if (theirs != mine)
    return fmt::format("{}, but another rank: {}", describe(), theirs);
  file.erase(0, mine.size());
  return "";
}

}  // namespace sbp::nccl
