#include "codegen/cpu/Target.h"

#include <unistd.h>

#include <cassert>

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

namespace sbp::cpu {
namespace {

const llvm::Target* nativeTarget(const llvm::Triple& triple) {
  [[maybe_unused]] static const bool isInitialized = [] {
    return !llvm::InitializeNativeTarget() &&
           !llvm::InitializeNativeTargetAsmPrinter() &&
           !llvm::InitializeNativeTargetAsmParser();
  }();
  std::string message;
  const llvm::Target* target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  assert(target && "LLVM generates code for the machine it was built for");
  return target;
}

std::string hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

/// Returns the bytes of a cache of this machine as the C library reports them;
/// `otherwise` if it does not.
int64_t cacheBytes(int name, int64_t otherwise) {
  long bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

}  // namespace

mlir::FailureOr<Target> lookUpTarget(
    llvm::StringRef name,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  Target target;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  target.triple = triple.str();
  if (name == "host") {
    target.cpu = llvm::sys::getHostCPUName().str();
    target.features = hostFeatures();
    target.firstCacheBytes =
        cacheBytes(_SC_LEVEL1_DCACHE_SIZE, target.firstCacheBytes);
    target.secondCacheBytes =
        cacheBytes(_SC_LEVEL2_CACHE_SIZE, target.secondCacheBytes);
  } else {
    target.cpu = name.str();
  }

  const llvm::Target* native = nativeTarget(triple);
  // LLVM prints a warning on stderr for a CPU that it does not know, so this is
  // checked first.
  std::unique_ptr<llvm::MCSubtargetInfo> generic(
      native->createMCSubtargetInfo(triple, "", ""));
  if (!generic->isCPUStringValid(target.cpu))
    return emitError() << "unknown CPU '" << name << "' for target '"
                       << target.triple << "'"
                       << (triple.isX86()
                               ? "; known are x86-64, x86-64-v2 to "
                                 "-v4, and LLVM's names of processors"
                               : "");

  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      native->createMCSubtargetInfo(triple, target.cpu, target.features));
  if (triple.isX86()) {
    // Without SSE4.1 `floor`, a part of `exp`, is a call of libm.
    if (!subtarget->checkFeatures("+sse4.1"))
      return emitError() << "CPU '" << name
                         << "' has no SSE4.1, which kernels need; the least is "
                            "'x86-64-v2'";
    if (subtarget->checkFeatures("+avx512f") &&
        subtarget->checkFeatures("+avx512vl"))
      target.vectorBytes = 64;
    else if (subtarget->checkFeatures("+avx2"))
      target.vectorBytes = 32;
    target.hasFusedMultiplyAdd = subtarget->checkFeatures("+fma");
  } else {
    target.hasFusedMultiplyAdd = triple.isAArch64();
  }
  return target;
}

mlir::FailureOr<Target> lookUpOldestTarget(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  return lookUpTarget(triple.isX86() ? "x86-64-v2" : "generic", emitError);
}

std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target& target) {
  llvm::Triple triple(target.triple);
  return std::unique_ptr<llvm::TargetMachine>(
      nativeTarget(triple)->createTargetMachine(
          triple, target.cpu, target.features, llvm::TargetOptions(),
          llvm::Reloc::PIC_));
}

}  // namespace sbp::cpu
