#include "codegen/cuda/Chip.h"

#include <cstdlib>
#include <mutex>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

// Declared one by one, because Debian's LLVM has all targets, and
// TargetSelect.h would initialise them all.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace sbp::cuda {
namespace {

constexpr Chip kChips[] = {
    {"sm_80", 80, "+ptx70", /*multiprocessors=*/108, /*lanes=*/64,
     /*sharedBytes=*/163 * 1024},
    {"sm_90a", 90, "+ptx80", /*multiprocessors=*/132, /*lanes=*/128,
     /*sharedBytes=*/227 * 1024},
    {"sm_100a", 100, "+ptx86", /*multiprocessors=*/148, /*lanes=*/128,
     /*sharedBytes=*/227 * 1024},
};

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

}  // namespace

llvm::ArrayRef<Chip> chips() { return kChips; }

const Chip* chipNamed(llvm::StringRef name) {
  const Chip* chip =
      llvm::find_if(kChips, [&](const Chip& one) { return one.name == name; });
  return chip == std::end(kChips) ? nullptr : chip;
}

const Chip* chipFor(int capability) {
  const Chip* best = nullptr;
  for (const Chip& chip : kChips) {
    // Code for a name with an "a" runs on this capability alone.
    const bool isOnlyFor = chip.name.ends_with("a");
    if (isOnlyFor ? chip.capability == capability
                  : chip.capability <= capability)
      best = &chip;
  }
  return best;
}

std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Chip& chip) {
  initializeTarget();
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target* target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) llvm::report_fatal_error("LLVM has no target NVPTX");
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip.name, chip.feature, llvm::TargetOptions(), std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

}  // namespace sbp::cuda
