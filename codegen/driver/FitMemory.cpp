#include "codegen/driver/FitMemory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/diagnostics/HeldDiagnostics.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/plan/Plan.h"

namespace sbp {
namespace {

using mlir::failure;
using mlir::success;
using Which = HeldDiagnostics::Which;
using Said = std::vector<mlir::Diagnostic>;
using Clock = std::chrono::steady_clock;

/// Searches beside the first one, at most, for a plan without too large gaps.
constexpr int kMaxSearches = 6;
/// How much more than it takes a plan may count, mostly: results overwrite
/// operands. Where one is known to fit, a faster one is searched so far.
constexpr double kCountedMore = 1.15;
/// So many tensors of those that take most are named.
constexpr size_t kMaxNamed = 4;
/// What would help is tried, with up to so many times the micro-batches, as
/// long as the search for little memory began no longer ago: each try is such a
/// search too.
constexpr int64_t kMaxMoreMicroBatches = 8;
constexpr std::chrono::seconds kSoon(2);

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

  /// Plans take whole buffers, so limits that are closer are the same.
  bool isExhausted() const {
    return next() <= 0 || tooMuch_ - tooLittle_ <= plan::kBufferAlignment;
  }

 private:
  double tooLittle_ = 0, tooMuch_, excess_ = 0;
};

class Fitting {
 public:
  Fitting(Location loc, const PlanQuestion& question, PlanAttempt attempt,
          LastArena lastArena)
      : loc_(loc),
        memoryBytes_(question.memoryBytes),
        microBatches_(question.microBatches),
        attempt_(attempt),
        lastArena_(lastArena) {}

  LogicalResult run() {
    Answer fastest = askForFastest(memoryBytes_, Which::Errors);
    if (fastest.isFound) {
      if (fits(fastest) || searchWithinLess(fastest)) return success();
    }
    const Clock::time_point soon = Clock::now() + kSoon;
    Answer smallest = askForSmallest(microBatches_);
    if (!smallest.isFound || !smallest.arenaBytes) {
      // It is not memory that there is too little of, or nobody can tell.
      emit(context(),
           std::move(fastest.said.empty() ? smallest.said : fastest.said));
      return failure();
    }
    if (!fits(smallest))
      return refuse(std::move(fastest), std::move(smallest), soon);
    if (!fastest.isFound) {
      Answer faster = askForFastest(kCountedMore * memoryBytes_, Which::All);
      bool isFaster = faster.isFound && fits(faster);
      if (!isFaster) smallest = askForSmallest(microBatches_);
      emit(context(), std::move(isFaster ? faster.said : smallest.said));
      return success();
    }
    emit(context(), std::move(smallest.said));
    return success();
  }

 private:
  struct Answer {
    bool isFound = false;
    std::optional<double> arenaBytes;  // of what is found, where known
    Said said;                         // and not heard yet
  };

  MLIRContext* context() const { return loc_.getContext(); }

  bool fits(const Answer& found) const {
    return !found.arenaBytes || *found.arenaBytes <= memoryBytes_;
  }

  Answer ask(const PlanQuestion& question, Which held) {
    HeldDiagnostics diagnostics(context(), held);
    FailureOr<std::optional<double>> found = attempt_(question);
    if (failed(found)) return {false, std::nullopt, diagnostics.take()};
    return {true, *found, diagnostics.take()};
  }

  Answer askForFastest(double limit, Which held) {
    return ask({limit, microBatches_, SearchGoal::Time}, held);
  }

  Answer askForSmallest(int64_t microBatches) {
    return ask({memoryBytes_, microBatches, SearchGoal::Memory}, Which::All);
  }

  /// Whether a plan fits that counts less than `found`, which does not.
  bool searchWithinLess(const Answer& found) {
    Limits limits(memoryBytes_);
    double taken = *found.arenaBytes;
    limits.doesNotFit(memoryBytes_, taken - memoryBytes_);
    for (int i = 0; i < kMaxSearches && !limits.isExhausted(); ++i) {
      double limit = limits.next();
      mlir::emitRemark(loc_) << fmt::format(
          "the plan takes {}, with the gaps between its buffers, but a device "
          "has {}; one within {} is searched",
          bytes::toExactText(taken), bytes::toExactText(memoryBytes_),
          bytes::toExactText(limit));
      // That there is no plan within less is not what was asked.
      Answer other = askForFastest(limit, Which::Errors);
      if (!other.isFound) {
        limits.findsNone(limit);
        continue;
      }
      if (fits(other)) return true;
      taken = *other.arenaBytes;
      limits.doesNotFit(limit, taken - memoryBytes_);
    }
    return false;
  }

  LogicalResult refuse(Answer fastest, Answer smallest,
                       Clock::time_point soon) {
    std::optional<ArenaUse> use = lastArena_();
    mlir::InFlightDiagnostic error =
        mlir::emitError(use ? use->place : loc_) << fmt::format(
            "no plan is found{} that fits in the {} of a device; the smallest "
            "found takes {}",
            use ? fmt::format(" for @{}", use->entry) : "",
            bytes::toExactText(memoryBytes_),
            bytes::toExactText(*smallest.arenaBytes));
    for (mlir::Diagnostic& remark : smallest.said)
      error.attachNote(remark.getLocation()) << remark.str();
    if (use) addUse(error, *use);
    // What is said of pins.
    for (mlir::Diagnostic& reason : fastest.said)
      for (mlir::Diagnostic& pin : reason.getNotes())
        error.attachNote(pin.getLocation()) << pin.str();
    error.attachNote() << whatWouldHelp(soon);
    return error;
  }

  /// When most is needed, and what for.
  static void addUse(mlir::InFlightDiagnostic& error, const ArenaUse& use) {
    std::vector<std::string> parts;
    for (const search::MemoryPart& part : search::kMemoryParts)
      if (double bytes = use.parts.*part.bytes; bytes > 0)
        parts.push_back(fmt::format("{} {}", bytes::toText(bytes), part.words));
    error.attachNote(use.momentPlace)
        << fmt::format("it takes most {}, on rank {}: {}", use.moment, use.rank,
                       fmt::join(parts, " + "));
    for (const ArenaTensor& tensor :
         llvm::ArrayRef(use.tensors).take_front(kMaxNamed))
      error.attachNote(tensor.place) << fmt::format(
          "{} of them: {}", bytes::toText(static_cast<double>(tensor.bytes)),
          tensor.what);
  }

  /// Tries it, if a try begins before `soon`.
  std::string whatWouldHelp(Clock::time_point soon) {
    for (int64_t more = 2; more <= kMaxMoreMicroBatches && Clock::now() < soon;
         more *= 2) {
      const int64_t tried = more * std::max<int64_t>(microBatches_, 1);
      Answer found = askForSmallest(tried);
      if (!found.isFound || !found.arenaBytes) break;
      if (fits(found))
        return fmt::format(
            "with --micro-batches {} a plan is found that fits: it takes {}",
            tried, bytes::toExactText(*found.arenaBytes));
    }
    return "what would help: more devices, or more memory; where a model is "
           "trained, a batch of fewer samples or more --micro-batches";
  }

  Location loc_;
  double memoryBytes_;
  int64_t microBatches_;
  PlanAttempt attempt_;
  LastArena lastArena_;
};

}  // namespace

PipelineOptions optionsFor(const PlanQuestion& question,
                           const search::SearchRun& searches,
                           PipelineOptions options) {
  options.place.memory = question.memoryBytes;
  options.setMicroBatches(question.microBatches);
  options.place.goal = question.goal;
  if (question.goal != SearchGoal::Memory)
    options.place.searchSeconds = std::max(1.0, searches.secondsLeft());
  return options;
}

LogicalResult searchUntilItFits(Location loc, const PlanQuestion& question,
                                PlanAttempt attempt, LastArena lastArena) {
  return Fitting(loc, question, attempt, lastArena).run();
}

}  // namespace sbp
