// The functions of NCCL that the runtime calls, loaded at run time.
//
// A compiled program depends only on libc. It loads libnccl only if its
// collectives go through NCCL. The declarations are written here, so that no
// part of NCCL is needed to build the runtime. They are those of NCCL 2.18;
// newer versions accept them.

#ifndef RUNTIME_CUDA_NCCLLIBRARY_H_
#define RUNTIME_CUDA_NCCLLIBRARY_H_

#include <climits>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cuda/Driver.h"

namespace sbp::cuda {

using NcclResult = int;  // ncclResult_t; 0: success
using NcclHandle = struct ncclComm*;

/// An identifier that one rank makes and all ranks pass when they create the
/// communicator of the world (ncclUniqueId).
struct NcclUniqueId {
  char bytes[128] = {};
};

/// Settings of a communicator (ncclConfig_t of NCCL 2.18).
struct NcclConfig {
  static constexpr int kUnset = INT_MIN;
  size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = 21800;
  int blocking = kUnset;
  int clusterSize = kUnset;
  int minBlocks = kUnset;
  int maxBlocks = kUnset;
  const char* network = nullptr;
  int splitShare = kUnset;  // 1: communicators made by splits share memory
  int padding = kUnset;
};

/// Types of elements (ncclDataType_t).
enum class NcclType : int {
  kInt8 = 0,
  kUint8 = 1,
  kInt32 = 2,
  kInt64 = 4,
  kFloat32 = 7,
  kBFloat16 = 9,
};

/// Reductions (ncclRedOp_t).
enum class NcclReduction : int { kSum = 0, kMax = 2, kMin = 3 };

/// Color that a rank passes to ncclCommSplit to be in none of the new
/// communicators.
inline constexpr int kNcclNoColor = -1;

/// kOldestNccl is the oldest version of NCCL that the runtime can use: the
/// first that has ncclCommSplit. kNcclSharesGpus is the first version in which
/// several ranks may use one GPU.
inline constexpr int kOldestNccl = 21800;
inline constexpr int kNcclSharesGpus = 23000;

/// Pointers to the functions of libnccl.
struct NcclLibrary {
  NcclResult (*getVersion)(int* version);
  NcclResult (*getUniqueId)(NcclUniqueId*);
  NcclResult (*commInitRankConfig)(NcclHandle*, int numRanks, NcclUniqueId,
                                   int rank, NcclConfig*);
  NcclResult (*commSplit)(NcclHandle, int color, int key, NcclHandle* part,
                          NcclConfig*);
  NcclResult (*commDestroy)(NcclHandle);
  const char* (*getErrorString)(NcclResult);
  const char* (*getLastError)(NcclHandle);
  NcclResult (*groupStart)();
  NcclResult (*groupEnd)();
  NcclResult (*allReduce)(const void* in, void* out, size_t count, NcclType,
                          NcclReduction, NcclHandle, StreamHandle);
  NcclResult (*allGather)(const void* in, void* out, size_t count, NcclType,
                          NcclHandle, StreamHandle);
  NcclResult (*reduceScatter)(const void* in, void* out, size_t count, NcclType,
                              NcclReduction, NcclHandle, StreamHandle);
  NcclResult (*send)(const void* in, size_t count, NcclType, int peer,
                     NcclHandle, StreamHandle);
  NcclResult (*receive)(void* out, size_t count, NcclType, int peer, NcclHandle,
                        StreamHandle);

  int version = 0;   // 22809 is 2.28.9
  std::string path;  // where the library was found

  /// Returns OK if `result` is success. Otherwise returns an error with the
  /// name of the function, `call`, and NCCL's description of the error.
  absl::Status check(NcclResult result, const char* call) const;
};

/// Loads libnccl, once per process. Fails if NCCL is not installed or is too
/// old; the error says which files were tried and what to do.
absl::StatusOr<const NcclLibrary*> loadNccl();

/// Returns a version of NCCL as text: 22809 is "2.28.9".
std::string ncclVersionText(int version);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_NCCLLIBRARY_H_
