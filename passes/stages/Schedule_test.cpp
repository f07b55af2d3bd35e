// A table that is added to a module stays the same through the module's text.

#include "passes/stages/Schedule.h"

#include <string>
#include <vector>

#include "dialects/Dialects.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "passes/schedule/Recomputation.h"
#include "passes/schedule/families/Family.h"
#include "passes/stages/Stages.h"

namespace sbp {
namespace {

using schedule::Table;
using ::testing::HasSubstr;

/// Returns the workers of each stage of `table`.
std::vector<std::vector<int64_t>> workersOfStages(const Table& table) {
  std::vector<std::vector<int64_t>> workers(table.numStages);
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (const schedule::Task& task : table.workers[worker])
      if (workers[task.stage].empty() || workers[task.stage].back() != worker)
        workers[task.stage].push_back(worker);
  return workers;
}

bool isSupported(const Table& table) {
  if (table.delay > 0) return false;
  for (const std::vector<int64_t>& workers : workersOfStages(table))
    if (workers.size() > 1) return false;
  for (const std::vector<schedule::Task>& tasks : table.workers)
    for (const schedule::Task& task : tasks)
      if (task.stepOffset < 0 || !schedule::isPerPart(task.kind)) return false;
  return true;
}

/// Returns the text of a module with a group of one rank for each of
/// `numWorkers`, and stages on these.
std::string textOf(int64_t numWorkers, const std::vector<int64_t>& workers) {
  std::string text = fmt::format(
      "sbp.machine @m [#sbp.level<\"cpu\" x {}, alpha = 1.0, beta = 1.0>]\n",
      numWorkers);
  for (int64_t worker = 0; worker < numWorkers; ++worker)
    text += fmt::format(
        "sbp.mesh @g{0} of @m ranks [{0}] [#sbp.axis<\"one\" x 1 in "
        "\"cpu\">]\n",
        worker);
  std::vector<std::string> groups;
  for (int64_t worker : workers) groups.push_back(fmt::format("@g{}", worker));
  return text + fmt::format("sbp.stages [{}]\n", fmt::join(groups, ", "));
}

class Schedules : public testing::Test {
 protected:
  Schedules()
      : context_(registry()),
        handler_(&context_, [this](mlir::Diagnostic& diagnostic) {
          said_ += diagnostic.str() + "\n";
        }) {
    context_.loadAllAvailableDialects();
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  mlir::OwningOpRef<ModuleOp> parse(const std::string& text) {
    return mlir::parseSourceString<ModuleOp>(text, &context_);
  }

  /// Returns `table` after it was printed and parsed, in a module whose stages
  /// are on `workers`.
  FailureOr<std::optional<Table>> throughText(
      const Table& table, const std::vector<int64_t>& workers) {
    said_.clear();
    mlir::OwningOpRef<ModuleOp> module =
        parse(textOf(table.numWorkers(), workers));
    addSchedule(stagesOf(*module), table, module->getLoc());
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    mlir::OwningOpRef<ModuleOp> again = parse(text);
    if (!again) return failure();
    return scheduleOf(*again);
  }

  mlir::MLIRContext context_;
  std::string said_;
  mlir::ScopedDiagnosticHandler handler_;
};

TEST_F(Schedules, OfFamiliesAreTheSameThroughText) {
  int64_t numSame = 0;
  for (const schedule::Family& family : schedule::families())
    for (int64_t depth = 1; depth <= 4; ++depth)
      for (int64_t microBatches = 1; microBatches <= 9; ++microBatches) {
        schedule::Shape shape;
        shape.depth = depth;
        shape.microBatches = microBatches;
        const auto table = schedule::tableOf(family.name, shape);
        if (!table.ok() || !isSupported(*table)) continue;
        std::vector<int64_t> workers;
        for (const auto& ofStage : workersOfStages(*table))
          workers.push_back(ofStage.front());
        for (const Table& each :
             {*table, schedule::withRecomputation(*table)}) {
          FailureOr<std::optional<Table>> found = throughText(each, workers);
          ASSERT_TRUE(succeeded(found)) << family.name << ": " << said_;
          EXPECT_EQ(**found, each) << family.name;
          ++numSame;
        }
      }
  EXPECT_GT(numSame, 300);
}

TEST_F(Schedules, OnOtherWorkersAreRefused) {
  schedule::Shape shape;
  shape.depth = 2;
  shape.microBatches = 4;
  shape.chunks = 2;
  const Table table = *schedule::tableOf("interleaved", shape);
  EXPECT_TRUE(succeeded(throughText(table, {0, 1, 0, 1})));
  EXPECT_FALSE(succeeded(throughText(table, {0, 1, 1, 0})));
  EXPECT_THAT(said_, HasSubstr("runs stage 2 on worker 0, @g0, but "
                               "sbp.stages has it on worker 1, @g1"));
  EXPECT_FALSE(succeeded(throughText(table, {0, 1, 0})));
  EXPECT_THAT(said_, HasSubstr("has 4 stages, but sbp.stages has 3"));
}

TEST_F(Schedules, SayHowManyPartsThereAre) {
  mlir::OwningOpRef<ModuleOp> module = parse(textOf(1, {0}));
  EXPECT_EQ(batchPartsOf(*module, 0)->count(), 1);
  EXPECT_EQ(batchPartsOf(*module, 3)->count(), 3);
  // Two micro-batches of two parts.
  mlir::OwningOpRef<ModuleOp> scheduled = parse(
      textOf(1, {0}) + "sbp.schedule [@g0 \"0F0,0B0.0,0B0.1,0F1,0B1\"]\n");
  EXPECT_EQ(batchPartsOf(*scheduled, 0)->count(), 4);
  EXPECT_EQ(batchPartsOf(*scheduled, 2)->count(), 4);
  EXPECT_TRUE(failed(batchPartsOf(*scheduled, 4)));
  EXPECT_THAT(said_, HasSubstr("has 2 micro-batches, but 4 are asked for"));
}

TEST_F(Schedules, MarkWhatTheyNeedOfAStage) {
  mlir::OwningOpRef<ModuleOp> module =
      parse(textOf(2, {0, 1}) +
            "sbp.schedule [@g0 \"0F0,0F1,0B0,0I1,0W1\", "
            "@g1 \"1F0,1R0,1B0,1F1,1R1,1B1\"]\n"
            "func.func private @f()\n");
  FailureOr<std::optional<Table>> table = scheduleOf(*module);
  ASSERT_TRUE(succeeded(table)) << said_;
  Operation* function = module->lookupSymbol("f");
  EXPECT_TRUE(succeeded(markStage(function, 0, **table)));
  EXPECT_TRUE(function->hasAttr(kSplitBackwardAttrName));
  EXPECT_EQ(keptBy(function), Kept::All);
  EXPECT_TRUE(succeeded(markStage(function, 1, **table)));
  EXPECT_FALSE(function->hasAttr(kSplitBackwardAttrName));
  EXPECT_EQ(keptBy(function), Kept::Inputs);
  // A stage that is recomputed may keep more than its inputs, but not all.
  auto keep = [&](Kept kept) {
    function->setAttr(kKeepAttrName, KeepAttr::get(&context_, kept));
  };
  keep(Kept::Products);
  EXPECT_TRUE(succeeded(markStage(function, 1, **table)));
  EXPECT_EQ(keptBy(function), Kept::Products);
  EXPECT_TRUE(failed(markStage(function, 0, **table)));
  EXPECT_THAT(said_, HasSubstr("does not recompute stage 0; leave out the "
                               "attribute, or add a task 0R before each"));
  keep(Kept::All);
  EXPECT_TRUE(failed(markStage(function, 1, **table)));
  EXPECT_THAT(said_, HasSubstr("recomputes stage 1; leave out the attribute, "
                               "or the tasks 1R"));
}

}  // namespace
}  // namespace sbp
