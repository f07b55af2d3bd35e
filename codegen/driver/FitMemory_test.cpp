#include "codegen/driver/FitMemory.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {
namespace {

/// A plan: the bytes that the search counts, and those of its arena.
struct SomePlan {
  double counted, laidOut;
};

class FitMemory : public testing::Test {
 protected:
  /// Searches `plans`, the fastest of which is the first, for a device with
  /// `memoryBytes` bytes; with more micro-batches the plans are
  /// `withMoreMicroBatches`, and if layers keep only their inputs `withInputs`.
  /// Returns the arena of the plan found, or 0.
  double search(double memoryBytes, const std::vector<SomePlan>& plans,
                const std::vector<SomePlan>& withMoreMicroBatches = {},
                const std::vector<SomePlan>& withInputs = {}) {
    mlir::ScopedDiagnosticHandler handler(
        &context_, [&](mlir::Diagnostic& diagnostic) {
          said_ += diagnostic.str() + "\n";
          for (mlir::Diagnostic& note : diagnostic.getNotes())
            said_ += "note: " + note.str() + "\n";
        });
    double last = 0;
    auto attempt =
        [&](const PlanQuestion& question) -> FailureOr<std::optional<double>> {
      const auto& known = question.kept == Kept::Inputs ? withInputs
                          : question.microBatches == 1  ? plans
                                                        : withMoreMicroBatches;
      if (question.goal == SearchGoal::Time)
        limits_.push_back(question.memoryBytes);
      const SomePlan* found = nullptr;
      for (const SomePlan& plan : known) {
        bool isIt = question.goal == SearchGoal::Time
                        ? !found && plan.counted <= question.memoryBytes
                        : !found || plan.counted < found->counted;
        if (isIt) found = &plan;
      }
      if (found) return std::optional(last = found->laidOut);
      mlir::emitError(mlir::UnknownLoc::get(&context_)) << "no plan";
      return mlir::failure();
    };
    LogicalResult result =
        searchUntilItFits(mlir::UnknownLoc::get(&context_), {memoryBytes},
                          attempt, [] { return std::nullopt; });
    return succeeded(result) ? last : 0;
  }

  bool isSaid(const std::string& words) const {
    return said_.find(words) != std::string::npos;
  }

  mlir::MLIRContext context_;
  std::vector<double> limits_;  // of the searches for the fastest plan
  std::string said_;
};

TEST_F(FitMemory, searches_once_where_the_plan_fits) {
  EXPECT_EQ(search(1000, {{990, 980}, {500, 500}}), 980);
  EXPECT_EQ(limits_, std::vector<double>{1000});
  EXPECT_EQ(said_, "");
}

TEST_F(FitMemory, searches_within_less_by_what_gaps_take) {
  EXPECT_EQ(search(10000, {{9900, 10500}, {9400, 9700}, {5000, 5000}}), 9700);
  EXPECT_EQ(limits_, (std::vector<double>{10000, 9500}));
  EXPECT_TRUE(isSaid("takes 10.5 KB (10500 bytes)"));
  EXPECT_TRUE(isSaid("within 9.5 KB (9500 bytes)"));
}

TEST_F(FitMemory, goes_on_where_the_same_plan_is_found_again) {
  EXPECT_EQ(search(10000, {{9000, 10400}, {8500, 8600}}), 8600);
  EXPECT_EQ(limits_, (std::vector<double>{10000, 9600, 8800}));
}

TEST_F(FitMemory, finds_a_plan_between_too_much_and_too_little) {
  EXPECT_EQ(search(10000, {{9900, 12000}, {9200, 9300}}), 9300);
  // There is no plan within 8000.
  EXPECT_EQ(limits_, (std::vector<double>{10000, 8000, 9000, 9500}));
  EXPECT_FALSE(isSaid("no plan\n"));
}

TEST_F(FitMemory, takes_a_plan_that_counts_more_than_it_takes) {
  EXPECT_EQ(search(10000, {{14000, 12000}, {13000, 10000}}), 10000);
  EXPECT_FALSE(isSaid("no plan"));
}

TEST_F(FitMemory, prefers_a_faster_one_that_counts_a_little_more) {
  EXPECT_EQ(search(10000, {{11000, 9900}, {10500, 9000}}), 9900);
}

TEST_F(FitMemory, names_bytes_that_suffice_where_none_fits) {
  const std::vector<SomePlan> plans = {{9900, 11000}, {8900, 10100}};
  EXPECT_EQ(search(10000, plans), 0);
  EXPECT_TRUE(
      isSaid("fits in the 10 KB (10000 bytes) of a device; the smallest "
             "found takes 10.1 KB (10100 bytes)"));
  EXPECT_EQ(search(10100, plans), 10100);
}

TEST_F(FitMemory, says_how_many_micro_batches_would_do) {
  EXPECT_EQ(search(10000, {{12000, 11000}}, {{10000, 9000}}), 0);
  EXPECT_TRUE(
      isSaid("a plan with --micro-batches 2 fits: it "
             "takes 9 KB (9000 bytes)"));
}

TEST_F(FitMemory, says_that_layers_may_keep_less) {
  EXPECT_EQ(search(10000, {{12000, 11000}}, {}, {{9000, 8000}}), 0);
  EXPECT_TRUE(
      isSaid("a plan with --keep inputs fits: it takes 8 KB (8000 bytes)"));
}

TEST_F(FitMemory, says_why_there_is_no_plan_at_all) {
  EXPECT_EQ(search(1000, {}), 0);
  EXPECT_EQ(said_, "no plan\n");
}

}  // namespace
}  // namespace sbp
