#include "passes/module/CountOps.h"

#include <cstdint>
#include <limits>

#include "dialects/nn/Calls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

namespace sbp {

using mlir::CallOpInterface;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

/// Largest number of ops of an entry. Each op becomes a task. A task takes
/// about a kilobyte of memory while the compiler places its buffers, and some
/// hundred bytes of the program. A GPT of 96 layers has ten thousand tasks.
constexpr uint64_t kMaxOps = uint64_t{1} << 23;

constexpr uint64_t kUncountable = std::numeric_limits<uint64_t>::max();

class OpCounter {
 public:
  explicit OpCounter(const mlir::SymbolTable& symbols) : symbols_(symbols) {}

  uint64_t countOf(FuncOp function) {
    // A function that is being counted counts as zero, so that recursion ends.
    auto [known, isNew] = counts_.try_emplace(function, 0);
    if (!isNew) return known->second;
    uint64_t count = 0;
    function.walk([&](Operation* op) {
      if (llvm::isa<FuncOp, ReturnOp>(op)) return;
      count = llvm::SaturatingAdd(count, uint64_t{1});
      if (auto call = llvm::dyn_cast<CallOpInterface>(op))
        count = llvm::SaturatingAdd(count, countOf(call));
    });
    return counts_[function] = count;
  }

  /// Returns the number of ops of the callee. Counts them once even if the call
  /// repeats the callee, since the program has one copy of them.
  uint64_t countOf(CallOpInterface call) {
    auto callee = nn::calleeOf(call, symbols_);
    return callee ? countOf(callee) : 0;
  }

 private:
  const mlir::SymbolTable& symbols_;
  llvm::DenseMap<Operation*, uint64_t> counts_;
};

}  // namespace

LogicalResult checkNumOps(FuncOp entry, const mlir::SymbolTable& symbols) {
  OpCounter counter(symbols);
  uint64_t count = counter.countOf(entry);
  if (count <= kMaxOps) return success();
  mlir::InFlightDiagnostic error = entry.emitOpError() << "runs ";
  if (count == kUncountable)
    error << "more ops than can be counted";
  else
    error << count << " ops";
  error
      << ", with those of a function counted for each of its calls; a program "
         "may have at most "
      << kMaxOps;
  CallOpInterface largest;
  entry.walk([&](CallOpInterface call) {
    if (!largest || counter.countOf(call) > counter.countOf(largest))
      largest = call;
  });
  if (largest)
    error.attachNote(largest.getLoc())
        << "most of them are run by this call of " << nn::calleeOf(largest);
  return error;
}

}  // namespace sbp
