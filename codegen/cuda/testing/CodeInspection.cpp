#include "codegen/cuda/testing/CodeInspection.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace sbp::cuda {
namespace {

/// Returns the version of PTX of a chip: "7.0" if its feature is "+ptx70".
std::string versionOf(const Chip& chip) {
  llvm::StringRef digits = chip.feature.ltrim("+ptx");
  return fmt::format("{}.{}", digits.drop_back().str(), digits.back());
}

/// Whether `instruction`, a line of PTX, is a load or store without an address
/// space.
bool isGeneric(llvm::StringRef instruction) {
  if (!instruction.starts_with("ld.") && !instruction.starts_with("st."))
    return false;
  return llvm::none_of(
      llvm::ArrayRef{"global", "shared", "param", "const", "local"},
      [&](const char* space) {
        return instruction.drop_front(3).starts_with(space);
      });
}

}  // namespace

bool CodeInspection::hasLine(const std::string& line) const {
  return llvm::is_contained(llvm::split(ptx_, '\n'), line);
}

std::string CodeInspection::fault() const {
  const std::string version = ".version " + versionOf(chip_);
  const std::string target = ".target " + chip_.name.str();
  for (const std::string& line : {version, target})
    if (!hasLine(line))
      return fmt::format("the PTX for {} has no line '{}'", chip_.name.str(),
                         line);
  if (ptx_.contains(".extern .func"))
    return "the PTX calls a function that is not there";
  for (llvm::StringRef line : llvm::split(ptx_, '\n')) {
    if (line.contains(".local"))
      return "a thread has memory of its own: " + line.trim().str();
    if (isGeneric(line.trim()))
      return "an access says no memory: " + line.trim().str();
  }
  return faultOfAlignment();
}

std::string CodeInspection::faultOfAlignment() const {
  for (const llvm::Function& function : code_)
    for (const llvm::Instruction& access : llvm::instructions(function)) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
      if (!pointer) continue;
      auto* memory = llvm::dyn_cast<llvm::GlobalVariable>(
          llvm::getUnderlyingObject(pointer));
      if (!memory) continue;
      const uint64_t assumed = llvm::getLoadStoreAlignment(&access).value();
      const uint64_t given = memory->getAlign().valueOrOne().value();
      if (assumed > given)
        return fmt::format(
            "{} is aligned to {} bytes, and accessed as if to {}",
            memory->getName().str(), given, assumed);
    }
  return "";
}

std::string CodeInspection::faultOf(const OpKernel& kernel) const {
  for (const plan::Launch& launch : kernel.launches)
    if (!ptx_.contains(".entry " + launch.function + "("))
      return "the PTX has no entry " + launch.function;
  for (const unsigned argument : kernel.results)
    if (!storesTo(kernel, argument))
      return fmt::format("{} stores nothing to its argument {}, a result",
                         kernel.name, argument);
  return "";
}

bool CodeInspection::storesTo(const OpKernel& kernel, unsigned argument) const {
  return llvm::any_of(kernel.launches, [&](const plan::Launch& launch) {
    const llvm::Function* function = code_.getFunction(launch.function);
    return function &&
           llvm::any_of(llvm::instructions(*function), [&](const auto& each) {
             auto* store = llvm::dyn_cast<llvm::StoreInst>(&each);
             if (!store) return false;
             return llvm::getUnderlyingObject(store->getPointerOperand()) ==
                    function->getArg(argument);
           });
  });
}

}  // namespace sbp::cuda
