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
using Diagnostics = std::vector<mlir::Diagnostic>;
using Clock = std::chrono::steady_clock;

/// Maximal numbers of further searches of step 1, in general and for
/// FitEffort::Fastest. With fewer, a fast plan that fits may be missed.
constexpr int kMaxSearches = 6, kMaxSearchesOfFastest = 2;
/// Limit of the search for a faster plan in step 2, as a multiple of the
/// device's memory. The counted bytes of a plan are mostly more than its arena,
/// since results overwrite operands, but seldom more than this factor.
constexpr double kCountedMore = 1.15;
/// Least step by which a limit is lowered, as a fraction of it. With a smaller
/// step the search would mostly find the same plan again.
constexpr double kLeastStep = 0.005;
/// Number of the largest tensors that an error names.
constexpr size_t kMaxNamed = 4;
/// Limits on finding out what would help: 2, 4 ... kMaxMoreMicroBatches times
/// the micro-batches and layers that keep less are tried, each with a search
/// for little memory. None begins later than kMaxSearchTime after the search of
/// step 2 began.
constexpr int64_t kMaxMoreMicroBatches = 8;
constexpr std::chrono::seconds kMaxSearchTime(2);

/// Chooses the limits of the searches in step 1. While every search finds a
/// plan that does not fit, the limit is lowered in growing steps. Once a search
/// has found no plan, the limits are bisected: they lie between one within
/// which no plan is found and one within which the plan does not fit.
class LimitBisection {
 public:
  /// Begins with the limit `tooMuch`, within which the plan does not fit.
  explicit LimitBisection(double tooMuch) : tooMuch_(tooMuch) {}

  /// Returns the limit to try next.
  double next() const {
    return std::floor(tooLittle_ == 0 ? tooMuch_ - excess_
                                      : (tooLittle_ + tooMuch_) / 2);
  }

  /// Notes that the plan found within `limit` needs `excess` bytes too many.
  void doesNotFit(double limit, double excess) {
    tooMuch_ = limit;
    // The counted bytes of the plan may be below the new limit too, so that it
    // is found again. So the steps grow.
    excess_ = std::max({excess, 2 * excess_, kLeastStep * limit});
  }
  /// Notes that no plan is found within `limit`.
  void findsNone(double limit) { tooLittle_ = limit; }

  /// Whether no limits are left to try. Limits that differ by less than the
  /// alignment of buffers are equal.
  bool isExhausted() const {
    return next() <= 0 || tooMuch_ - tooLittle_ <= plan::kBufferAlignment;
  }

 private:
  // In bytes. tooLittle_ is 0 as long as every search finds a plan: then the
  // next limit is excess_ below tooMuch_.
  double tooLittle_ = 0, tooMuch_, excess_ = 0;
};

/// Runs the steps that are described in FitMemory.h.
class MemoryFitter {
 public:
  MemoryFitter(Location loc, const PlanQuestion& question, PlanAttempt attempt,
               LastArena lastArena)
      : loc_(loc),
        memoryBytes_(question.memoryBytes),
        microBatches_(question.microBatches),
        kept_(question.kept),
        effort_(question.effort),
        attempt_(attempt),
        lastArena_(lastArena) {}

  LogicalResult run() {
    Answer fastest = askForFastest(memoryBytes_, Which::Errors);
    if (fastest.isFound) {
      if (fits(fastest) || searchWithinLess(fastest)) return success();
    }
    if (effort_ == FitEffort::Fastest) return failure();
    const Clock::time_point deadline = Clock::now() + kMaxSearchTime;
    Answer smallest = askForSmallest(microBatches_);
    if (!smallest.isFound || !smallest.arenaBytes) {
      // There is no plan at all, for example because of wrong options, or the
      // size of its arena is not known.
      emit(context(),
           std::move(fastest.isFound || fastest.held.empty() ? smallest.held
                                                             : fastest.held));
      return failure();
    }
    if (!fits(smallest))
      return refuse(std::move(fastest), std::move(smallest), deadline);
    if (!fastest.isFound) {
      Answer faster = askForFastest(kCountedMore * memoryBytes_, Which::All);
      bool isFaster = faster.isFound && fits(faster);
      if (!isFaster) smallest = askForSmallest(microBatches_);
      emit(context(), std::move(isFaster ? faster.held : smallest.held));
      return success();
    }
    emit(context(), std::move(smallest.held));
    return success();
  }

 private:
  /// The result of one attempt.
  struct Answer {
    bool isFound = false;
    std::optional<double> arenaBytes;  // nullopt if no plan, or not known
    Diagnostics held;                  // diagnostics that are held back
  };

  MLIRContext* context() const { return loc_.getContext(); }

  bool fits(const Answer& found) const {
    return !found.arenaBytes || *found.arenaBytes <= memoryBytes_;
  }

  Answer ask(const PlanQuestion& question, Which severity) {
    HeldDiagnostics diagnostics(context(), severity);
    FailureOr<std::optional<double>> found = attempt_(question);
    if (failed(found)) return {false, std::nullopt, diagnostics.take()};
    return {true, *found, diagnostics.take()};
  }

  Answer askForFastest(double limit, Which severity) {
    return ask({limit, microBatches_, SearchGoal::Time, kept_}, severity);
  }

  Answer askForSmallest(int64_t microBatches) {
    return askForSmallest(microBatches, kept_);
  }

  Answer askForSmallest(int64_t microBatches, Kept kept) {
    return ask({memoryBytes_, microBatches, SearchGoal::Memory, kept},
               Which::All);
  }

  /// Searches within lower limits than the one of `found`, a plan that does not
  /// fit, until a plan fits. Returns whether one does.
  bool searchWithinLess(const Answer& found) {
    LimitBisection limits(memoryBytes_);
    double taken = *found.arenaBytes;
    limits.doesNotFit(memoryBytes_, taken - memoryBytes_);
    const int most =
        effort_ == FitEffort::Fastest ? kMaxSearchesOfFastest : kMaxSearches;
    for (int i = 0; i < most && !limits.isExhausted(); ++i) {
      double limit = limits.next();
      mlir::emitRemark(loc_) << fmt::format(
          "the plan takes {}, with the gaps between its buffers, but a device "
          "has {}; now searching for a plan within {}",
          bytes::toExactText(taken), bytes::toExactText(memoryBytes_),
          bytes::toExactText(limit));
      // Errors about the lower limit are held back: the user did not ask for
      // it.
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

  /// Emits the error of step 3. `fastest` is the answer of the first search,
  /// `smallest` that of step 2, whose plan does not fit.
  LogicalResult refuse(Answer fastest, Answer smallest,
                       Clock::time_point deadline) {
    std::optional<ArenaUse> use = lastArena_();
    mlir::InFlightDiagnostic error =
        mlir::emitError(use ? use->location : loc_) << fmt::format(
            "no plan is found{} that fits in the {} of a device; the smallest "
            "found takes {}",
            use ? fmt::format(" for @{}", use->entry) : "",
            bytes::toExactText(memoryBytes_),
            bytes::toExactText(*smallest.arenaBytes));
    for (mlir::Diagnostic& remark : smallest.held)
      error.attachNote(remark.getLocation()) << remark.str();
    if (use) addUse(error, *use);
    // The notes about pins.
    for (mlir::Diagnostic& reason : fastest.held)
      for (mlir::Diagnostic& pin : reason.getNotes())
        error.attachNote(pin.getLocation()) << pin.str();
    if (effort_ == FitEffort::Advice)
      error.attachNote() << whatWouldHelp(deadline);
    return error;
  }

  /// Adds notes on the moment when most memory is needed, and on its use.
  static void addUse(mlir::InFlightDiagnostic& error, const ArenaUse& use) {
    std::vector<std::string> parts;
    for (const search::MemoryPart& part : search::kMemoryParts)
      if (double bytes = use.parts.*part.bytes; bytes > 0)
        parts.push_back(fmt::format("{} {}", bytes::toText(bytes), part.words));
    error.attachNote(use.momentLocation)
        << fmt::format("memory peaks {}, on rank {}: {}", use.moment, use.rank,
                       fmt::join(parts, " + "));
    if (!use.stages.empty()) error.attachNote() << use.stages;
    for (const ArenaTensor& tensor :
         llvm::ArrayRef(use.tensors).take_front(kMaxNamed))
      error.attachNote(tensor.location) << fmt::format(
          "{} of this: {}", bytes::toText(static_cast<double>(tensor.bytes)),
          tensor.description);
  }

  /// Returns advice: a change with which a plan fits, if attempts that begin
  /// before `deadline` find one; else general advice. Changes that cost little
  /// time come first.
  std::string whatWouldHelp(Clock::time_point deadline) {
    // More micro-batches make no sense once some number finds no plan.
    bool canDivide = true;
    for (const Change& change : changes()) {
      if (Clock::now() >= deadline) break;
      const bool divides = change.times > 1;
      if (divides && !canDivide) continue;
      const int64_t microBatches =
          divides ? change.times * std::max<int64_t>(microBatches_, 1)
                  : microBatches_;
      const Answer found = askForSmallest(microBatches, change.kept);
      if (!found.isFound || !found.arenaBytes) {
        if (divides) canDivide = false;
        continue;
      }
      if (!fits(found)) continue;
      std::vector<std::string> options;
      if (divides)
        options.push_back(fmt::format("--micro-batches {}", microBatches));
      if (change.kept != kept_)
        options.push_back(fmt::format("--keep {}", stringOf(change.kept)));
      return fmt::format("a plan with {} fits: it takes {}",
                         fmt::join(options, " "),
                         bytes::toExactText(*found.arenaBytes));
    }
    return "more devices or more memory would help, and for a model that is "
           "trained a smaller batch or more --micro-batches";
  }

  /// A change of the program that takes less memory.
  struct Change {
    int64_t times = 1;  // as many micro-batches
    Kept kept = Kept::All;
  };

  /// Returns the changes to try.
  std::vector<Change> changes() const {
    std::vector<Change> all = {{2, kept_}};
    for (Kept kept : kAllKept)
      if (kept > kept_) all.push_back({1, kept});
    for (int64_t times = 4; times <= kMaxMoreMicroBatches; times *= 2)
      all.push_back({times, kept_});
    if (kept_ < Kept::Inputs)
      for (int64_t times = 2; times <= kMaxMoreMicroBatches; times *= 2)
        all.push_back({times, Kept::Inputs});
    return all;
  }

  Location loc_;
  double memoryBytes_;
  int64_t microBatches_;
  Kept kept_;
  FitEffort effort_;
  PlanAttempt attempt_;
  LastArena lastArena_;
};

}  // namespace

PipelineOptions optionsFor(const PlanQuestion& question,
                           const search::SearchRun& searches,
                           PipelineOptions options) {
  options.place.memory = question.memoryBytes;
  options.setMicroBatches(question.microBatches);
  options.keep.kept = question.kept;
  options.place.goal = question.goal;
  if (question.goal != SearchGoal::Memory)
    options.place.searchSeconds = std::max(1.0, searches.secondsLeft());
  return options;
}

LogicalResult searchUntilItFits(Location loc, const PlanQuestion& question,
                                PlanAttempt attempt, LastArena lastArena) {
  return MemoryFitter(loc, question, attempt, lastArena).run();
}

}  // namespace sbp
