// A communicator of the stand-in for NCCL.

#ifndef CODEGEN_CUDA_TESTING_NCCL_COMMUNICATOR_H_
#define CODEGEN_CUDA_TESTING_NCCL_COMMUNICATOR_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cuda/testing/nccl/Folder.h"

namespace sbp::nccl {

/// One rank's end of a communicator. Its files begin with its name.
class Communicator {
 public:
  /// Waits until all `size` ranks of a new world have come. `card` describes
  /// the GPU of this rank. Returns nothing if one does not come.
  static std::unique_ptr<Communicator> enter(const Folder& folder, int rank,
                                             int size, const std::string& card);

  /// Waits until all ranks have come to this split, and sets `part` to the
  /// communicator of those with the same color, in the order of their keys; to
  /// null if the color is negative. Returns whether all ranks have come.
  bool split(int color, int key, std::unique_ptr<Communicator>& part);

  /// Leaves a world. The last rank to leave removes the folder.
  void leave();

  const Folder& folder() const { return folder_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool isWorld() const { return isWorld_; }
  /// Whether two ranks of the world use one GPU.
  bool sharesGpus() const { return sharesGpus_; }

  /// Returns the name of the file of `rank` for collective number `number`.
  std::string collectiveOf(int rank, int64_t number) const;
  /// Returns the name of the file of message number `number`.
  std::string messageOf(int sender, int receiver, int64_t number) const;

  // Numbers of the next collective, and of the next message to and from each
  // rank.
  int64_t nextCollective = 0;
  std::map<int, int64_t> nextSends, nextReceives;
  // Files of this rank in the last group of collectives.
  std::vector<std::string> oldFiles;

  void removeOldFiles();

 private:
  Communicator(Folder folder, std::string name, int rank, int size)
      : folder_(std::move(folder)),
        name_(std::move(name)),
        rank_(rank),
        size_(size) {}

  Folder folder_;
  std::string name_;
  int rank_, size_;
  bool isWorld_ = false, sharesGpus_ = false;
  int64_t numSplits_ = 0;
};

}  // namespace sbp::nccl

#endif  // CODEGEN_CUDA_TESTING_NCCL_COMMUNICATOR_H_
