#include "codegen/interpreter/RankThreads.h"

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp::interpreter {
namespace {

constexpr int64_t kNoRank = -1;
thread_local int64_t rankOfThread = kNoRank;

/// Catches the diagnostics of all rank threads, keeps the first error of
/// the lowest rank, or else another diagnostic, and emits it at the end.
class FirstDiagnostic {
 public:
  explicit FirstDiagnostic(MLIRContext* context)
      : engine_(context->getDiagEngine()) {
    // The engine calls one handler at a time.
    handler_ = engine_.registerHandler([this](mlir::Diagnostic& diagnostic) {
      if (rankOfThread == kNoRank) return failure();
      if (!first_ || precedes(diagnostic)) {
        first_ = std::move(diagnostic);
        rank_ = rankOfThread;
      }
      return success();
    });
  }

  ~FirstDiagnostic() {
    engine_.eraseHandler(handler_);
    if (!first_) return;
    first_->attachNote(first_->getLocation()) << "on rank " << rank_;
    engine_.emit(std::move(*first_));
  }

 private:
  /// Whether `diagnostic`, of this thread's rank, is to be kept instead of the
  /// first one: errors go before remarks, then lower ranks before higher ones.
  bool precedes(const mlir::Diagnostic& diagnostic) const {
    const auto isError = [](const mlir::Diagnostic& of) {
      return of.getSeverity() == mlir::DiagnosticSeverity::Error;
    };
    if (isError(diagnostic) != isError(*first_)) return isError(diagnostic);
    return rankOfThread < rank_;
  }

  mlir::DiagnosticEngine& engine_;
  mlir::DiagnosticEngine::HandlerID handler_;
  std::optional<mlir::Diagnostic> first_;
  int64_t rank_ = kNoRank;
};

/// Enables multithreading in a context during its own lifetime: only then may
/// several threads make types and attributes at once.
class MultithreadedContext {
 public:
  explicit MultithreadedContext(MLIRContext* context)
      : context_(context), wasEnabled_(context->isMultithreadingEnabled()) {
    if (!wasEnabled_) context_->enableMultithreading();
  }
  ~MultithreadedContext() {
    if (!wasEnabled_) context_->disableMultithreading();
  }

 private:
  MLIRContext* context_;
  bool wasEnabled_;
};

}  // namespace

LogicalResult runRankThreads(
    MLIRContext* context, int64_t numRanks,
    llvm::function_ref<LogicalResult(int64_t rank)> body) {
  MultithreadedContext multithreaded(context);
  FirstDiagnostic diagnostic(context);
  std::atomic<bool> hasFailed = false;
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    threads.emplace_back([&, rank] {
      rankOfThread = rank;
      if (failed(body(rank))) hasFailed = true;
    });
  for (std::thread& thread : threads) thread.join();
  return failure(hasFailed);
}

}  // namespace sbp::interpreter
