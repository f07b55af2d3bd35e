#include "runtime/cuda/NcclLibrary.h"

#include <glob.h>

#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include "runtime/library/SharedLibrary.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

constexpr const char* kName = "libnccl.so.2";

/// Folders in which distributions, CUDA's installer and NVIDIA's SDK put NCCL.
constexpr const char* kFolders[] = {
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/cuda/lib64",
    "/usr/local/nccl*/lib",
    "/opt/nvidia/hpc_sdk/Linux_*/*/comm_libs/nccl/lib",
};

/// Folders in which Python is installed, and the paths within such a folder at
/// which NCCL's wheel may have installed the library.
constexpr const char* kPythonRoots[] = {"/usr/local", "/usr",
                                        "/usr/lib/python3", "/opt/conda"};
constexpr const char* kWheels[] = {
    "/lib/python3*/site-packages/nvidia/nccl/lib",
    "/lib/python3*/dist-packages/nvidia/nccl/lib",
};

/// Returns the paths of the library that match `pattern`.
std::vector<std::string> matching(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t found = {};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

/// Returns where the library may be, best first: where the loader finds it,
/// then in the user's Python environment, then where it is installed for all
/// users.
std::vector<std::string> candidates() {
  std::vector<std::string> folders;
  const auto addPython = [&](const std::string& root) {
    for (const char* wheel : kWheels) folders.push_back(root + wheel);
  };
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char* root = std::getenv(variable)) addPython(root);
  if (const char* home = std::getenv("HOME"))
    addPython(std::string(home) + "/.local");
  folders.insert(folders.end(), std::begin(kFolders), std::end(kFolders));
  for (const char* root : kPythonRoots) addPython(root);
  std::vector<std::string> result = {kName};
  for (const std::string& folder : folders)
    for (std::string& path : matching(fmt::format("{}/{}", folder, kName)))
      result.push_back(std::move(path));
  return result;
}

absl::StatusOr<NcclLibrary> load() {
  absl::StatusOr<SharedLibrary> library = SharedLibrary::load(candidates());
  if (!library.ok())
    return error(
        "there is no {} ({}); install NCCL, or set LD_LIBRARY_PATH to the "
        "folder that has the library",
        kName, textOf(library.status()));
  NcclLibrary nccl = {};
  nccl.path = library->path();
  library->find("ncclGetVersion", nccl.getVersion);
  library->find("ncclGetUniqueId", nccl.getUniqueId);
  library->find("ncclCommInitRankConfig", nccl.commInitRankConfig);
  library->find("ncclCommSplit", nccl.commSplit);
  library->find("ncclCommDestroy", nccl.commDestroy);
  library->find("ncclGetErrorString", nccl.getErrorString);
  library->find("ncclGetLastError", nccl.getLastError);
  library->find("ncclGroupStart", nccl.groupStart);
  library->find("ncclGroupEnd", nccl.groupEnd);
  library->find("ncclAllReduce", nccl.allReduce);
  library->find("ncclAllGather", nccl.allGather);
  library->find("ncclReduceScatter", nccl.reduceScatter);
  library->find("ncclSend", nccl.send);
  library->find("ncclRecv", nccl.receive);
  if (nccl.getVersion) nccl.getVersion(&nccl.version);
  if (!library->checkComplete().ok() || nccl.version < kOldestNccl)
    return error("{} is NCCL {}, which is too old; {} or newer serves",
                 nccl.path, ncclVersionText(nccl.version),
                 ncclVersionText(kOldestNccl));
  // The user may have set it.
  if (nccl.version >= kNcclSharesGpus)
    setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", /*overwrite=*/0);
  return nccl;
}

}  // namespace

absl::Status NcclLibrary::check(NcclResult result, const char* call) const {
  if (result == 0) return absl::OkStatus();
  const std::string last = getLastError(nullptr);
  return error("{} failed: {} ({}){}{}", call, getErrorString(result), result,
               last.empty() ? "" : ": ", last);
}

absl::StatusOr<const NcclLibrary*> loadNccl() {
  static const absl::StatusOr<NcclLibrary> library = load();
  if (!library.ok()) return library.status();
  return &*library;
}

std::string ncclVersionText(int version) {
  // Versions before 2.9 have one digit for the minor version.
  const int major = version < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", version / major, version % major / 100,
                     version % 100);
}

}  // namespace sbp::cuda
