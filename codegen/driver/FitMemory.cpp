#include "codegen/driver/FitMemory.h"

#include <algorithm>
#include <cmath>

#include "codegen/cpu/KernelLibrary.h"
#include "codegen/plan/BuildPlan.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/cost/LocalMemory.h"

namespace sbp {
namespace {

/// Searches beside the first one, at most.
constexpr int kMaxSearches = 6;

/// An arena is no more than so many times what is needed at once. Gaps are some
/// percent of it; the rest is for whatever is not reckoned with.
constexpr double kMostGaps = 2;

/// Whether the entries of a local program would fit into `memoryBytes` whatever
/// gaps there are.
bool isFarBelow(ModuleOp local, double memoryBytes) {
  for (auto program : local.getOps<rank::ProgramOp>())
    for (auto function : program.getBody().getOps<mlir::func::FuncOp>())
      if (function.isPublic() &&
          kMostGaps * busiestBytes(program, function.getName()) > memoryBytes)
        return false;
  return true;
}

/// Limits between one within which no plan is found and one within which that
/// which is found does not fit.
class Limits {
 public:
  explicit Limits(double tooMuch) : tooMuch_(tooMuch) {}

  /// What to search within after a plan that takes `excess` bytes too many, or
  /// after none was found.
  double next() const {
    return std::floor(tooLittle_ == 0 ? tooMuch_ - excess_
                                      : (tooLittle_ + tooMuch_) / 2);
  }

  void doesNotFit(double limit, double excess) {
    tooMuch_ = limit;
    // The same plan may take less than the limit, so go farther each time.
    excess_ = std::max(excess, 2 * excess_);
  }
  void findsNone(double limit) { tooLittle_ = limit; }

  bool isExhausted() const {
    return next() <= tooLittle_ || next() >= tooMuch_;
  }

 private:
  double tooLittle_ = 0, tooMuch_, excess_ = 0;
};

}  // namespace

LargestArena largestArena(const plan::Plan& plan) {
  LargestArena largest;
  for (const plan::Program& program : plan.programs)
    for (auto [entry, description] : llvm::zip(program.entries, plan.entries))
      if (auto bytes = static_cast<double>(entry.arenaBytes);
          bytes > largest.bytes)
        largest = {description.name, program.ranks.front(), bytes};
  return largest;
}

std::optional<LargestArena> arenaOf(ModuleOp module, const cpu::Target& target,
                                    double memoryBytes) {
  mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                         [](mlir::Diagnostic&) {});
  mlir::OwningOpRef<ModuleOp> local = module.clone();
  mlir::PassManager passes(module.getContext());
  addPassesTo(Form::Local, {}, passes);
  if (failed(passes.run(*local)) || isFarBelow(*local, memoryBytes))
    return std::nullopt;
  cpu::KernelLibrary kernels(module.getContext(), target);
  FailureOr<plan::Plan> plan = buildPlan(*local, "", kernels);
  if (failed(plan)) return std::nullopt;
  return largestArena(*plan);
}

double secondsOfSearch(const search::SearchRun& searches) {
  return std::max(1.0, searches.secondsLeft());
}

LogicalResult searchUntilItFits(Location loc, double memoryBytes,
                                PlanAttempt attempt) {
  using Arena = std::optional<LargestArena>;
  FailureOr<Arena> found = attempt(memoryBytes);
  if (failed(found)) return failure();
  auto excessOf = [&](const Arena& arena) {
    return arena ? arena->bytes - memoryBytes : 0;
  };
  if (excessOf(*found) <= 0) return success();

  LargestArena least = **found;
  Limits limits(memoryBytes);
  limits.doesNotFit(memoryBytes, excessOf(*found));
  for (int i = 0; i < kMaxSearches && !limits.isExhausted(); ++i) {
    double limit = limits.next();
    mlir::emitRemark(loc) << llvm::formatv(
        "@{0} takes {1:f0} bytes on rank {2}, with the gaps between its "
        "buffers, but a device has {3:f0}; a plan within {4:f0} is searched",
        least.entry, least.bytes, least.rank, memoryBytes, limit);
    {
      // That there is no plan within less is not what was asked.
      mlir::ScopedDiagnosticHandler withoutErrors(
          loc.getContext(), [](mlir::Diagnostic& diagnostic) {
            return mlir::success(diagnostic.getSeverity() ==
                                 mlir::DiagnosticSeverity::Error);
          });
      found = attempt(limit);
    }
    if (failed(found)) {
      limits.findsNone(limit);
      continue;
    }
    double excess = excessOf(*found);
    if (excess <= 0) return success();
    limits.doesNotFit(limit, excess);
    if ((*found)->bytes < least.bytes) least = **found;
  }
  return mlir::emitError(loc) << llvm::formatv(
             "@{0} takes {1:f0} bytes on rank {2}, with the gaps between its "
             "buffers, but a device has {3:f0}; no plan is found that takes "
             "less",
             least.entry, least.bytes, least.rank, memoryBytes);
}

}  // namespace sbp
