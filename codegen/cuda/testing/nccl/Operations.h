// Operations of the stand-in for NCCL.
//
// A rank leaves a file for the others, with a header that says what it does;
// whoever reads it compares the header with its own. So ranks that do different
// things are noticed.

#ifndef CODEGEN_CUDA_TESTING_NCCL_OPERATIONS_H_
#define CODEGEN_CUDA_TESTING_NCCL_OPERATIONS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "codegen/cuda/testing/nccl/Communicator.h"

namespace sbp::nccl {

/// Types of elements (ncclDataType_t) and reductions (ncclRedOp_t).
enum Type : int {
  kInt8 = 0,
  kUint8 = 1,
  kInt32 = 2,
  kInt64 = 4,
  kFloat32 = 7,
  kBFloat16 = 9,
};
enum Reduction : int { kSum = 0, kMax = 2, kMin = 3 };

/// Returns the size of an element; 0 if the type is unknown here.
size_t bytesOf(int type);

/// A request of a rank. Kinds: "all-reduce", "all-gather", "reduce-scatter",
/// "send", "receive".
struct Request {
  std::string kind;
  const std::byte* source = nullptr;
  std::byte* target = nullptr;
  size_t count = 0;  // elements of the smaller one of the two
  int type = kFloat32;
  int reduction = kSum;
  int peer = -1;
};

/// One operation. Its functions are called when the stream comes to it.
class Operation {
 public:
  static std::unique_ptr<Operation> create(Communicator& communicator,
                                           const Request& request);
  virtual ~Operation() = default;

  /// Gives the others what they need of this rank.
  virtual void start() = 0;
  /// Whether the others have done their parts. Does not block.
  virtual bool isReady() = 0;
  /// Stores the result. Returns "", or what is wrong.
  virtual std::string finish() = 0;
  /// Keeps the file of this rank until the next group of the communicator.
  /// Called after finish() of all operations of a group.
  virtual void keepFile() {}

  /// Removes the files of the group before. All ranks have read them, because
  /// they have come to this group.
  void removeOldFiles() { communicator_.removeOldFiles(); }

  /// Describes the operation: "rank 1 of 2: send to rank 0 of 12 elements".
  std::string describe() const;

 protected:
  Operation(Communicator& communicator, const Request& request)
      : communicator_(communicator), request_(request) {}

  /// Returns the header of files, which is the same on all ranks.
  std::string header() const;
  /// Compares the header of a file with header(), and removes it. Returns "",
  /// or what differs.
  std::string takeHeader(std::string& file) const;

  Communicator& communicator_;
  const Request request_;
};

}  // namespace sbp::nccl

#endif  // CODEGEN_CUDA_TESTING_NCCL_OPERATIONS_H_
