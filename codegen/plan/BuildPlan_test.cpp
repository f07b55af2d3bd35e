// Executes plans on symbols (testing/SymbolicPlan.h): plans of random programs,
// and of the programs written below.

#include "codegen/plan/BuildPlan.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codegen/plan/testing/RandomProgram.h"
#include "codegen/plan/testing/SymbolicPlan.h"
#include "dialects/Dialects.h"
#include "dialects/rank/Rank.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace sbp {
namespace {

using testing::expectMeaning;
using testing::SymbolicKernels;

class BuildPlan : public ::testing::Test {
 protected:
  BuildPlan() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
  }

  mlir::OwningOpRef<ModuleOp> parse(StringRef body, StringRef before = "") {
    std::string text =
        "sbp.machine @one [#sbp.level<\"rank\" x 1, alpha = 0.0, beta = "
        "0.0>]\n" +
        before.str() + "rank.program @all on @one ranks [0] {\n" + body.str() +
        "}\n";
    auto module = mlir::parseSourceString<ModuleOp>(text, &context_);
    EXPECT_TRUE(module) << text;
    return module;
  }

  /// Returns the plan of `module`, and expects that its first entry computes
  /// what the module says.
  plan::Plan checkedPlan(ModuleOp module) {
    SymbolicKernels kernels;
    auto plan = buildPlan(module, "test", kernels);
    EXPECT_TRUE(succeeded(plan));
    if (failed(plan)) return {};
    expectMeaning(module, *plan, kernels);
    return std::move(*plan);
  }

  static size_t numCopies(const plan::Plan& plan) {
    return llvm::count_if(
        plan.programs[0].entries[0].tasks, [](const plan::Task& task) {
          const auto* collective = std::get_if<plan::CollectiveTask>(&task);
          return collective && collective->axes.empty();
        });
  }

  MLIRContext context_;
};

TEST_F(BuildPlan, does_what_the_program_means) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto module = sbp::testing::randomRankProgram(&context_, seed);
    ASSERT_TRUE(succeeded(mlir::verify(*module)));
    checkedPlan(*module);
    if (HasFailure()) {
      module->dump();
      return;
    }
  }
}

constexpr const char* kTrainStep = R"(
  nn.parameter @w : tensor<1000xf32> = #nn.zeros
    {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}
  nn.parameter @v : tensor<1000xf32> = #nn.zeros
    {state, rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}
  func.func @step(%g: tensor<1000xf32> {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>},
                  %lr: tensor<f32> {rank.whole = tensor<f32, #sbp.nd<@one, [B]>>}) {
    %w = nn.get @w : tensor<1000xf32>
    %v = nn.get @v : tensor<1000xf32>
    %h = nn.exp %w : tensor<1000xf32>
    %d = nn.add %h, %g : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
    %w2, %v2 = nn.momentum %w, %d, %v, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64}
      : (tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>, tensor<f32>) -> (tensor<1000xf32>, tensor<1000xf32>)
    nn.set @w, %w2 : tensor<1000xf32>
    nn.set @v, %v2 : tensor<1000xf32>
    return
  }
)";

TEST_F(BuildPlan, adds_up_where_the_next_time_finds_the_sum) {
  plan::Plan plan = checkedPlan(*parse(R"(
    func.func private @part(%x: tensor<1000xf32>, %sum: tensor<1000xf32>)
        -> tensor<1000xf32> {
      %term = nn.relu %x : tensor<1000xf32>
      %more = nn.add %sum, %term : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
      return %more : tensor<1000xf32>
    }
    func.func @entry(%x: tensor<1000xf32> {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>})
        -> (tensor<1000xf32> {rank.whole = tensor<1000xf32, #sbp.nd<@one, [B]>>}) {
      %sum = nn.repeat 3 @part(%x) : (tensor<1000xf32>) -> tensor<1000xf32>
      return %sum : tensor<1000xf32>
    }
  )"));
  const plan::EntryProgram& entry = plan.programs[0].entries[0];
  ASSERT_EQ(entry.loops.size(), 1u);
  EXPECT_EQ(entry.loops[0].numMicroBatches, 3);
  EXPECT_EQ(entry.tasks.size(), 2u);
  ASSERT_EQ(entry.loops[0].carried.size(), 1u);
  EXPECT_EQ(entry.outputs[0], entry.loops[0].carried[0].buffer);
}

TEST_F(BuildPlan, updates_parameters_where_they_lie) {
  plan::Plan plan = checkedPlan(*parse(kTrainStep));
  EXPECT_EQ(numCopies(plan), 0u);
  // Besides the parameters: g, lr, and exp(w), which the sum may overwrite.
  EXPECT_EQ(plan.programs[0].persistentBytes, 2 * 4032);
  EXPECT_LE(plan.programs[0].entries[0].arenaBytes,
            2 * 4032 + 4032 + 64 + 4032 + 4096 + 64);
}

/// Returns the names of the ops that the tasks of the first entry run, in
/// order; "copy" for a copy.
std::vector<std::string> namesOfTasks(const plan::Plan& plan) {
  std::vector<std::string> names;
  for (const plan::Task& task : plan.programs[0].entries[0].tasks)
    if (const auto* kernel = std::get_if<plan::KernelTask>(&task))
      names.push_back(plan.kernels[kernel->kernel].op);
    else
      names.push_back(std::get<plan::CollectiveTask>(task).axes.empty()
                          ? "copy"
                          : "reduce");
  return names;
}

TEST_F(BuildPlan, has_all_gradients_before_the_first_update) {
  plan::Plan plan = checkedPlan(*parse(R"(
    nn.parameter @a : tensor<100xf32> = #nn.zeros
      {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}
    nn.parameter @b : tensor<4xf32> = #nn.zeros
      {rank.whole = tensor<4xf32, #sbp.nd<@one, [B]>>}
    func.func @step(%x: tensor<100xf32> {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>},
                    %y: tensor<4xf32> {rank.whole = tensor<4xf32, #sbp.nd<@one, [B]>>},
                    %lr: tensor<f32> {rank.whole = tensor<f32, #sbp.nd<@one, [B]>>}) {
      %a = nn.get @a : tensor<100xf32>
      %b = nn.get @b : tensor<4xf32>
      %ga = rank.all_reduce sum %x over ["rank"] : tensor<100xf32>
      %a2 = nn.sgd %a, %ga, %lr {weight_decay = 0.0 : f64}
        : (tensor<100xf32>, tensor<100xf32>, tensor<f32>) -> tensor<100xf32>
      %a3 = nn.relu %a2 : tensor<100xf32>
      nn.set @a, %a3 : tensor<100xf32>
      %gb = nn.exp %y : tensor<4xf32>
      %b2 = nn.sgd %b, %gb, %lr {weight_decay = 0.0 : f64, rank.gradient_copies = ["rank"]}
        : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      nn.set @b, %b2 : tensor<4xf32>
      return
    }
  )"));
  EXPECT_EQ(namesOfTasks(plan),
            (std::vector<std::string>{"reduce", "nn.exp", "nn.sgd", "nn.relu",
                                      "nn.sgd", "copy"}));
  const plan::EntryProgram& entry = plan.programs[0].entries[0];
  EXPECT_EQ(entry.firstUpdate, 2);
  ASSERT_EQ(entry.gradients.size(), 2u);
  EXPECT_EQ(entry.gradients[0].buffer,
            std::get<plan::CollectiveTask>(entry.tasks[0]).out);
  EXPECT_EQ(entry.gradients[0].numElements, 100);
  EXPECT_TRUE(entry.gradients[0].copyAxes.empty());
  EXPECT_EQ(entry.gradients[1].numElements, 4);
  EXPECT_EQ(entry.gradients[1].copyAxes, std::vector<int64_t>{0});
}

// Two of the three optimiser ops run at once, as many as the kernel can.
TEST_F(BuildPlan, joins_updates_of_one_shape) {
  std::string parameters, gets, steps;
  for (const char* name : {"a", "b", "c"}) {
    for (const char* kind : {"", "v"})
      parameters += fmt::format(
          R"(nn.parameter @{}{} : tensor<100xf32> = #nn.zeros
               {{rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}}
)",
          name, kind);
    gets += fmt::format(R"(%{0} = nn.get @{0} : tensor<100xf32>
                           %{0}v = nn.get @{0}v : tensor<100xf32>
)",
                        name);
    // A task that depends on an update stands after all updates.
    steps += fmt::format(R"(
      %{0}2, %{0}v2 = nn.momentum %{0}, %g, %{0}v, %lr {{momentum = 0.9 : f64, weight_decay = 0.0 : f64}}
        : (tensor<100xf32>, tensor<100xf32>, tensor<100xf32>, tensor<f32>) -> (tensor<100xf32>, tensor<100xf32>)
      %{0}3 = nn.relu %{0}2 : tensor<100xf32>
      nn.set @{0}, %{0}3 : tensor<100xf32>
      nn.set @{0}v, %{0}v2 : tensor<100xf32>
)",
                         name);
  }
  plan::Plan plan = checkedPlan(*parse(fmt::format(
      R"({} func.func @step(%x: tensor<100xf32> {{rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}},
                            %lr: tensor<f32> {{rank.whole = tensor<f32, #sbp.nd<@one, [B]>>}}) {{
           %g = nn.exp %x : tensor<100xf32>
           {} {}
           return
         }})",
      parameters, gets, steps)));
  EXPECT_EQ(namesOfTasks(plan),
            (std::vector<std::string>{"nn.exp", "nn.momentum", "nn.momentum",
                                      "nn.relu", "nn.relu", "nn.relu"}));
  const auto& both =
      std::get<plan::KernelTask>(plan.programs[0].entries[0].tasks[1]);
  EXPECT_EQ(both.buffers.size(), 2u * 6);
  EXPECT_EQ(plan.kernels[both.kernel].operands.size(), 2u * 4);
}

/// Returns the bucket of each task of the first entry; -1: none.
std::vector<int64_t> bucketsOf(const plan::Plan& plan) {
  std::vector<int64_t> buckets;
  for (const plan::Task& task : plan.programs[0].entries[0].tasks) {
    const auto* collective = std::get_if<plan::CollectiveTask>(&task);
    buckets.push_back(collective ? collective->bucket : -1);
  }
  return buckets;
}

/// Returns a function with body `body` and the arguments %x and %y.
std::string withInputs(StringRef body) {
  return R"(
    func.func @f(%x: tensor<4xf32> {rank.whole = tensor<4xf32, #sbp.nd<@one, [B]>>},
                 %y: tensor<4xf32> {rank.whole = tensor<4xf32, #sbp.nd<@one, [B]>>}) {)" +
         body.str() + "return }";
}

TEST_F(BuildPlan, puts_small_collectives_into_buckets) {
  plan::Plan plan = checkedPlan(*parse(withInputs(R"(
      %a = rank.all_reduce sum %x over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
      %b = nn.exp %a : tensor<4xf32>
      %c = rank.all_reduce sum %y over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
      %d = rank.all_reduce sum %y over ["rank"] : tensor<4xf32>
    )")));
  // The task that needs the first collective waits with it; the one without a
  // bucket does not wait.
  EXPECT_EQ(namesOfTasks(plan),
            (std::vector<std::string>{"reduce", "reduce", "nn.exp", "reduce"}));
  EXPECT_EQ(bucketsOf(plan), (std::vector<int64_t>{0, 0, -1, -1}));
}

TEST_F(BuildPlan, begins_a_bucket_when_one_is_full) {
  plan::Plan plan = checkedPlan(*parse(withInputs(R"(
      %a = rank.all_reduce sum %x over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
      %b = rank.all_reduce sum %x over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
      %c = rank.all_reduce sum %y over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
      %d = rank.all_reduce sum %y over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
    )")));
  EXPECT_EQ(bucketsOf(plan), (std::vector<int64_t>{0, 0, 1, 1}));
}

TEST_F(BuildPlan, has_no_bucket_of_one) {
  plan::Plan plan = checkedPlan(*parse(withInputs(R"(
      %a = rank.all_reduce sum %x over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
      %b = rank.all_reduce max %y over ["rank"] {rank.bucket = array<i64: 0, 16, 40>} : tensor<4xf32>
      %c = rank.all_reduce sum %y over ["rank"] {rank.bucket = array<i64: 1, 16, 40>} : tensor<4xf32>
    )")));
  EXPECT_EQ(bucketsOf(plan), (std::vector<int64_t>{-1, -1, -1}));
}

// Either pair could share a bucket, but not both pairs.
TEST_F(BuildPlan, lets_no_bucket_wait_for_itself) {
  plan::Plan plan = checkedPlan(*parse(withInputs(R"(
      %a = rank.all_reduce sum %x over ["rank"] {rank.bucket = array<i64: 0, 16, 99>} : tensor<4xf32>
      %b = rank.all_reduce max %y over ["rank"] {rank.bucket = array<i64: 0, 16, 99>} : tensor<4xf32>
      %c = rank.all_reduce sum %b over ["rank"] {rank.bucket = array<i64: 0, 16, 99>} : tensor<4xf32>
      %d = nn.exp %a : tensor<4xf32>
      %e = rank.all_reduce max %d over ["rank"] {rank.bucket = array<i64: 0, 16, 99>} : tensor<4xf32>
      %f = rank.all_reduce sum %c over ["rank"] {rank.bucket = array<i64: 0, 16, 99>} : tensor<4xf32>
    )")));
  EXPECT_EQ(namesOfTasks(plan),
            (std::vector<std::string>{"reduce", "reduce", "reduce", "nn.exp",
                                      "reduce", "reduce"}));
  EXPECT_EQ(bucketsOf(plan), (std::vector<int64_t>{-1, 0, 0, -1, -1, -1}));
}

TEST_F(BuildPlan, copies_an_update_that_is_an_output_too) {
  // The new value of @w is an output, so it is made before any update.
  plan::Plan plan = checkedPlan(*parse(R"(
    nn.parameter @w : tensor<100xf32> = #nn.zeros
      {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}
    func.func @f() -> (tensor<100xf32> {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}) {
      %w = nn.get @w : tensor<100xf32>
      %new = nn.relu %w : tensor<100xf32>
      nn.set @w, %new : tensor<100xf32>
      return %new : tensor<100xf32>
    }
  )"));
  EXPECT_EQ(numCopies(plan), 1u);
  EXPECT_EQ(plan.programs[0].entries[0].firstUpdate, 1);
}

TEST_F(BuildPlan, copies_an_update_that_comes_before_the_last_read) {
  plan::Plan plan = checkedPlan(*parse(R"(
    nn.parameter @w : tensor<100xf32> = #nn.zeros
      {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}
    nn.parameter @v : tensor<100xf32> = #nn.zeros
      {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}
    func.func @f() {
      %w = nn.get @w : tensor<100xf32>
      %new = nn.relu %w : tensor<100xf32>
      nn.set @w, %new : tensor<100xf32>
      %late = nn.exp %w : tensor<100xf32>
      nn.set @v, %late : tensor<100xf32>
      return
    }
  )"));
  EXPECT_EQ(numCopies(plan), 1u);
}

/// Returns the collectives of the first entry, without copies.
std::vector<plan::CollectiveTask> collectivesOf(const plan::Plan& plan) {
  std::vector<plan::CollectiveTask> collectives;
  for (const plan::Task& task : plan.programs[0].entries[0].tasks)
    if (const auto* collective = std::get_if<plan::CollectiveTask>(&task))
      if (!collective->axes.empty()) collectives.push_back(*collective);
  return collectives;
}

TEST_F(BuildPlan, reduces_in_place_where_nobody_needs_the_terms_any_more) {
  plan::Plan plan = checkedPlan(*parse(R"(
    nn.parameter @w : tensor<100xf32> = #nn.zeros
      {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}
    func.func @f(%x: tensor<100xf32> {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>})
        -> (tensor<100xf32> {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}) {
      %input_is_kept = rank.all_reduce sum %x over ["rank"] : tensor<100xf32>
      %last_use = rank.all_reduce sum %input_is_kept over ["rank"] : tensor<100xf32>
      %used_later = rank.all_reduce sum %last_use over ["rank"] : tensor<100xf32>
      %sum = nn.add %last_use, %used_later : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
      %w = nn.get @w : tensor<100xf32>
      %parameter = rank.all_reduce sum %w over ["rank"] : tensor<100xf32>
      nn.set @w, %parameter : tensor<100xf32>
      return %sum : tensor<100xf32>
    }
  )"));
  std::vector<plan::CollectiveTask> reduces = collectivesOf(plan);
  ASSERT_EQ(reduces.size(), 4u);
  EXPECT_NE(reduces[0].in, reduces[0].out);
  EXPECT_EQ(reduces[1].in, reduces[1].out);
  EXPECT_NE(reduces[2].in, reduces[2].out);
  EXPECT_EQ(reduces[3].in, reduces[3].out);
  EXPECT_EQ(reduces[3].out, plan.programs[0].parameters[0]);
}

TEST_F(BuildPlan, swaps_parameters) {
  checkedPlan(*parse(R"(
    nn.parameter @a : tensor<100xf32> = #nn.zeros
      {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}
    nn.parameter @b : tensor<100xf32> = #nn.ones
      {rank.whole = tensor<100xf32, #sbp.nd<@one, [B]>>}
    func.func @f() {
      %a = nn.get @a : tensor<100xf32>
      %b = nn.get @b : tensor<100xf32>
      nn.set @a, %b : tensor<100xf32>
      nn.set @b, %a : tensor<100xf32>
      return
    }
  )"));
}

TEST_F(BuildPlan, lists_a_layer_as_often_as_it_is_called) {
  plan::Plan plan = checkedPlan(*parse(R"(
    func.func private @layer(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = nn.exp %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    func.func @f(%x: tensor<8xf32> {nn.input = "x", rank.whole = tensor<8xf32, #sbp.nd<@one, [B]>>})
        -> (tensor<8xf32> {nn.output = "y", rank.whole = tensor<8xf32, #sbp.nd<@one, [B]>>}) {
      %0 = func.call @layer(%x) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = func.call @layer(%0) : (tensor<8xf32>) -> tensor<8xf32>
      %2 = func.call @layer(%1) : (tensor<8xf32>) -> tensor<8xf32>
      return %2 : tensor<8xf32>
    }
  )"));
  EXPECT_EQ(plan.programs[0].entries[0].tasks.size(), 3u);
  // One kernel per op of the text, not per call.
  EXPECT_EQ(plan.kernels.size(), 1u);
  const plan::EntryProgram& entry = plan.programs[0].entries[0];
  ASSERT_EQ(entry.calls.size(), 4u);
  EXPECT_EQ(entry.calls[0].function, "f");
  for (int64_t call : {1, 2, 3}) {
    EXPECT_EQ(entry.calls[call].function, "layer");
    EXPECT_EQ(entry.calls[call].caller, 0);
    EXPECT_EQ(std::get<plan::KernelTask>(entry.tasks[call - 1]).call, call);
  }
  EXPECT_EQ(plan.entries[0].inputs[0].name, "x");
  EXPECT_EQ(plan.entries[0].outputs[0].name, "y");
}

TEST_F(BuildPlan, makes_all_of_a_sum_wait_for_its_turn) {
  auto module = parse(R"(
    func.func private @forward(%x: tensor<8xf32>) -> tensor<8xf32>
        attributes {sbp.kind = #sbp.kind<F>, sbp.stage = 0 : i64} {
      %y = nn.exp %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    func.func private @backward(%y: tensor<8xf32>) -> tensor<8xf32>
        attributes {sbp.kind = #sbp.kind<B>, sbp.stage = 0 : i64} {
      %z = nn.tanh %y : tensor<8xf32>
      return %z : tensor<8xf32>
    }
    func.func private @part(%x: tensor<8xf32>, %sum: tensor<8xf32>) -> tensor<8xf32> {
      %y = func.call @forward(%x) {rank.task = #sbp.task<0F>} : (tensor<8xf32>) -> tensor<8xf32>
      %z = func.call @backward(%y) {rank.task = #sbp.task<0B>} : (tensor<8xf32>) -> tensor<8xf32>
      %before = nn.neg %sum {rank.task = #sbp.task<0B>} : tensor<8xf32>
      %added = nn.add %before, %z {rank.task = #sbp.task<0B>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %after = nn.neg %added {rank.task = #sbp.task<0B>} : tensor<8xf32>
      return %after : tensor<8xf32>
    }
    func.func @f(%x: tensor<8xf32> {nn.input = "x", rank.whole = tensor<8xf32, #sbp.nd<@one, [B]>>})
        -> (tensor<8xf32> {nn.output = "y", rank.whole = tensor<8xf32, #sbp.nd<@one, [B]>>}) {
      %0 = nn.repeat 2 @part(%x) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  )",
                      "sbp.mesh @group of @one [#sbp.axis<\"a\" x 1 in "
                      "\"rank\">]\n"
                      "sbp.stages [@group]\n"
                      "sbp.schedule [@group \"0F0,0F1,0B1,0B0\"]\n");
  SymbolicKernels kernels;
  auto plan = buildPlan(*module, "test", kernels);
  ASSERT_TRUE(succeeded(plan));
  const plan::Loop& loop = plan->programs[0].entries[0].loops[0];
  auto sums = llvm::find_if(
      loop.blocks, [](const auto& block) { return block.name == "0B sums"; });
  ASSERT_NE(sums, loop.blocks.end());
  std::vector<std::string> ops;
  for (int64_t index = sums->first; index < sums->last; ++index) {
    const auto& task =
        std::get<plan::KernelTask>(plan->programs[0].entries[0].tasks[index]);
    ops.push_back(kernels.uses[task.kernel].op->getName().stripDialect().str());
  }
  EXPECT_EQ(ops, (std::vector<std::string>{"neg", "add", "neg"}));
}

TEST_F(BuildPlan, says_how_many_ops_calls_come_to) {
  // Chains of 41 and of 70 functions, each of which calls the next twice; if
  // the first is empty, there are only calls.
  for (auto [numFunctions, first, expected] :
       {std::tuple(41, "%c = nn.iota dim 0 : () -> tensor<4xi32>",
                   "runs 6597069766654 ops"),
        std::tuple(41, "", "runs 4398046511102 ops"),
        std::tuple(70, "", "runs more ops than can be counted")}) {
    std::string body =
        std::string("func.func private @f0() { ") + first + " return }\n";
    for (int i = 1; i <= numFunctions; ++i) {
      std::string call =
          "func.call @f" + std::to_string(i - 1) + "() : () -> () ";
      body += std::string("func.func ") + (i < numFunctions ? "private " : "") +
              "@f" + std::to_string(i) + "() { " + call + call + "return }\n";
    }
    std::string message;
    auto module = parse(body);
    mlir::ScopedDiagnosticHandler handler(&context_,
                                          [&](mlir::Diagnostic& diagnostic) {
                                            message += diagnostic.str();
                                            return success();
                                          });
    SymbolicKernels kernels;
    EXPECT_TRUE(failed(buildPlan(*module, "test", kernels)));
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  }
}

TEST_F(BuildPlan, says_what_is_wrong_with_a_program) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(nn.parameter @w : tensor<4xf32> = #nn.zeros)", "has no 'rank.whole'"},
      {R"(func.func @f(%x: tensor<4xf32>) { return })",
       "has no 'rank.whole' that gives the placed tensor of which argument 0"},
      {R"(func.func private @f() { func.call @f() : () -> () return }
          func.func @g() { func.call @f() : () -> () return })",
       "calls itself"},
      {R"(nn.parameter @w : tensor<4xf16> = #nn.zeros)", "has no 'rank.whole'"},
      {R"(nn.parameter @w : tensor<4xf16> = #nn.zeros
            {rank.whole = tensor<4xf16, #sbp.nd<@one, [B]>>})",
       "has a tensor of 'f16'; a compiled program has f32, bf16, i32, i64 and "
       "i1"},
      {R"(nn.parameter @w : tensor<4xf32> = #nn.zeros
            {rank.whole = tensor<4xf32, #sbp.nd<@one, [B]>>}
          func.func private @f(%x: tensor<4xf32>) {
            nn.set @w, %x : tensor<4xf32> return }
          func.func @g() { %w = nn.get @w : tensor<4xf32>
            func.call @f(%w) : (tensor<4xf32>) -> ()
            func.call @f(%w) : (tensor<4xf32>) -> () return })",
       "sets @w a second time in one run of an entry"},
      {R"(nn.parameter @w : tensor<4xf32> = #nn.zeros
            {rank.whole = tensor<4xf32, #sbp.nd<@one, [B]>>}
          func.func private @f() -> tensor<4xf32> {
            %w = nn.get @w : tensor<4xf32> return %w : tensor<4xf32> }
          func.func @g() { %w = func.call @f() : () -> tensor<4xf32>
            nn.set @w, %w : tensor<4xf32>
            %v = func.call @f() : () -> tensor<4xf32> return })",
       "reads @w after it was set"},
      {R"(nn.parameter @w : tensor<4xf32> = #nn.zeros
            {rank.whole = tensor<4xf32, #sbp.nd<@one, [B]>>}
          func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
            nn.set @w, %x : tensor<4xf32> return %x : tensor<4xf32> }
          func.func @g() {
            %x = nn.repeat 2 @f() : () -> tensor<4xf32> return })",
       "sets @w in a repeated function"},
      {R"(func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
            return %x : tensor<4xf32> }
          func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
            %y = nn.repeat 2 @f() : () -> tensor<4xf32>
            return %y : tensor<4xf32> }
          func.func @h() {
            %x = nn.repeat 2 @g() : () -> tensor<4xf32> return })",
       "stands in a repeated function"},
  };
  for (auto [body, expected] : cases) {
    std::string message;
    auto module = parse(body);
    ASSERT_TRUE(module);
    mlir::ScopedDiagnosticHandler handler(&context_,
                                          [&](mlir::Diagnostic& diagnostic) {
                                            message += diagnostic.str();
                                            return success();
                                          });
    SymbolicKernels kernels;
    EXPECT_TRUE(failed(buildPlan(*module, "test", kernels)));
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace sbp
