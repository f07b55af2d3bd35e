#include "codegen/driver/FitMemory.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {
namespace {

/// A plan: what the search reckons that it takes, and what it takes laid out.
struct SomePlan {
  double reckoned, laidOut;
};

class FitMemory : public testing::Test {
 protected:
  /// Searches `plans`, of which the first is the fastest, for a device that has
  /// `memoryBytes`. Returns what the plan that is found takes laid out, or 0.
  double search(double memoryBytes, const std::vector<SomePlan>& plans) {
    mlir::ScopedDiagnosticHandler handler(&context_,
                                          [&](mlir::Diagnostic& diagnostic) {
                                            said_ += diagnostic.str() + "\n";
                                          });
    double last = 0;
    LogicalResult result = searchUntilItFits(
        mlir::UnknownLoc::get(&context_), memoryBytes,
        [&](double limit) -> FailureOr<std::optional<LargestArena>> {
          limits_.push_back(limit);
          for (const SomePlan& plan : plans) {
            if (plan.reckoned > limit) continue;
            last = plan.laidOut;
            return std::optional(LargestArena{"step", 3, plan.laidOut});
          }
          mlir::emitError(mlir::UnknownLoc::get(&context_)) << "no plan";
          return mlir::failure();
        });
    return succeeded(result) ? last : 0;
  }

  mlir::MLIRContext context_;
  std::vector<double> limits_;  // that were searched within
  std::string said_;
};

TEST_F(FitMemory, searches_once_where_the_plan_fits) {
  EXPECT_EQ(search(1000, {{990, 980}, {500, 500}}), 980);
  EXPECT_EQ(limits_, std::vector<double>{1000});
  EXPECT_EQ(said_, "");
}

TEST_F(FitMemory, searches_within_less_by_what_gaps_take) {
  EXPECT_EQ(search(1000, {{990, 1050}, {940, 970}, {500, 500}}), 970);
  EXPECT_EQ(limits_, (std::vector<double>{1000, 950}));
  EXPECT_NE(said_.find("takes 1050 bytes on rank 3"), std::string::npos);
  EXPECT_NE(said_.find("within 950"), std::string::npos);
}

TEST_F(FitMemory, goes_on_where_the_same_plan_is_found_again) {
  EXPECT_EQ(search(1000, {{900, 1040}, {850, 860}}), 860);
  EXPECT_EQ(limits_, (std::vector<double>{1000, 960, 880}));
}

TEST_F(FitMemory, finds_a_plan_between_too_much_and_too_little) {
  EXPECT_EQ(search(1000, {{990, 1200}, {920, 930}}), 930);
  // Within 800 there is none.
  EXPECT_EQ(limits_, (std::vector<double>{1000, 800, 900, 950}));
  EXPECT_EQ(said_.find("no plan\n"), std::string::npos);
}

TEST_F(FitMemory, says_what_the_least_takes_where_none_fits) {
  EXPECT_EQ(search(1000, {{990, 1100}, {890, 1010}}), 0);
  EXPECT_NE(said_.find("takes 1010 bytes on rank 3"), std::string::npos);
  EXPECT_NE(said_.find("no plan is found that takes less"), std::string::npos);
}

TEST_F(FitMemory, says_why_there_is_no_plan_at_all) {
  EXPECT_EQ(search(1000, {{1001, 1001}}), 0);
  EXPECT_EQ(said_, "no plan\n");
}

}  // namespace
}  // namespace sbp
