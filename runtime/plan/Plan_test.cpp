#include "runtime/plan/Plan.h"

#include <functional>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plan/Check.h"

namespace sbp::plan {
namespace {

using ::testing::HasSubstr;

Component split(int64_t dim) {
  return {Component::Kind::kSplit, dim, ReductionKind::kSum};
}

Component partial() {
  return {Component::Kind::kPartial, 0, ReductionKind::kSum};
}

/// Makes a plan for two ranks: each multiplies its columns of a weight; the
/// products are partial.
Plan smallPlan() {
  Plan plan;
  plan.model = "small";
  plan.compiler = "sbpc 1.2.3";
  plan.plugins = {{"mine", "4.5"}};
  plan.groups = {Group{{"gpu", 2}}};
  plan.kernels = {{"matmul",
                   "nn.einsum",
                   {{ElementType::kF32, {3, 2}}, {ElementType::kF32, {2, 6}}},
                   {{ElementType::kF32, {3, 6}}}}};
  plan.parameters = {{{"w", ElementType::kF32, {4, 6}, {split(0)}},
                      {Initializer::Kind::kNormal, 0, 0.02},
                      /*isState=*/false},
                     {{"m", ElementType::kF32, {4, 6}, {split(0)}},
                      {},
                      /*isState=*/true}};
  plan.entries = {{"forward",
                   {{"x", ElementType::kF32, {3, 4}, {split(1)}}},
                   {{"y", ElementType::kF32, {3, 6}, {partial()}}}}};
  CollectiveTask allReduce;
  allReduce.axes = {0};
  allReduce.inShape = allReduce.outShape = {3, 6};
  allReduce.in = 256;
  allReduce.out = 384;
  Gradient gradient;
  gradient.buffer = 256;
  gradient.numElements = 18;
  gradient.copyAxes = {0};
  const EntryProgram entry = {512,
                              {192},
                              {256},
                              {KernelTask{0, {192, 0, 256}}, allReduce},
                              /*firstUpdate=*/1,
                              {gradient},
                              {{"forward"}}};
  plan.programs = {{{0, 1}, 192, {0, 64}, {entry}}};
  return plan;
}

CollectiveTask& collective(Plan& plan) {
  return std::get<CollectiveTask>(plan.programs[0].entries[0].tasks[1]);
}

TEST(Plan, RoundTripsThroughJson) {
  const std::string text = toJson(smallPlan());
  const auto plan = fromJson(text);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(toJson(*plan), text);
  EXPECT_EQ(plan->numRanks(), 2);
  EXPECT_EQ(plan->compiler, "sbpc 1.2.3");
  ASSERT_EQ(plan->plugins.size(), 1u);
  EXPECT_EQ(plan->plugins[0].name, "mine");
  EXPECT_EQ(plan->plugins[0].version, "4.5");
  EXPECT_EQ(plan->parameters[0].initializer.second, 0.02);
  EXPECT_TRUE(plan->parameters[1].isState);
}

TEST(Plan, TheBoundOfAnInputRoundTrips) {
  Plan plan = smallPlan();
  plan.entries[0].inputs[0].elementType = ElementType::kI32;
  plan.entries[0].inputs[0].below = 7;
  const auto read = fromJson(toJson(plan));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->entries[0].inputs[0].below, 7);
  EXPECT_EQ(read->entries[0].outputs[0].below, std::nullopt);
}

TEST(Plan, PlacesRoundTrip) {
  Plan plan = smallPlan();
  EXPECT_EQ(toJson(plan).find("origin"), std::string::npos);
  EXPECT_EQ(plan.programs[0].entries[0].originOf(1), kUnknownOrigin);
  plan.places = {{"a b.mlir", "c.mlir"},
                 {{{1, 12, 5}}, {{0, 3, 0}, {0, 4, 7}, {1, 5, 8}}}};
  EntryProgram& program = plan.programs[0].entries[0];
  program.origins = {1, kUnknownOrigin};
  program.calls[0].origin = 0;
  const auto read = fromJson(toJson(plan));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(toJson(*read), toJson(plan));
  const EntryProgram& again = read->programs[0].entries[0];
  EXPECT_EQ(read->places.at(again.originOf(0)),
            " at a b.mlir:3, a b.mlir:4:7 and c.mlir:5:8");
  EXPECT_EQ(read->places.at(again.originOf(1)), "");
  EXPECT_EQ(read->places.textOf(again.calls[0].origin), "c.mlir:12:5");
}

TEST(Plan, PlacesAreChecked) {
  const auto errorOf = [](const std::function<void(Plan&)>& introduce) {
    Plan plan = smallPlan();
    plan.places = {{"a.mlir"}, {{{0, 12, 5}}}};
    plan.programs[0].entries[0].origins = {0, 0};
    EXPECT_TRUE(check(plan).ok()) << check(plan);
    introduce(plan);
    const auto read = fromJson(toJson(plan));
    EXPECT_EQ(read.status(), check(plan));
    return std::string(read.status().message());
  };
  const auto placed = [](Place place) {
    return [place](Plan& p) { p.places.origins = {{place}}; };
  };
  EXPECT_EQ(errorOf(placed({1, 2, 3})), "origin 0 is in file 1 of 1");
  EXPECT_EQ(errorOf(placed({0, 0, 3})), "origin 0 is line 0, column 3");
  EXPECT_EQ(errorOf(placed({0, 2, -3})), "origin 0 is line 2, column -3");
  EXPECT_EQ(errorOf([](Plan& p) { p.places.origins = {{}}; }),
            "origin 0 has no place");
  EXPECT_THAT(
      errorOf([](Plan& p) { p.programs[0].entries[0].origins.pop_back(); }),
      HasSubstr("1 origins for 2 tasks"));
  EXPECT_THAT(errorOf([](Plan& p) { p.programs[0].entries[0].origins[1] = 1; }),
              HasSubstr("task 1 comes from origin 1 of 1"));
  EXPECT_THAT(
      errorOf([](Plan& p) { p.programs[0].entries[0].calls[0].origin = -2; }),
      HasSubstr("call 0 comes from origin -2 of 1"));
}

TEST(Plan, WhoTrainsRoundTrips) {
  Plan plan = smallPlan();
  EXPECT_EQ(fromJson(toJson(plan))->entries[0].optimizer, "");
  plan.entries[0].optimizer = "adamw<weight_decay = 0.1>";
  const auto read = fromJson(toJson(plan));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->entries[0].optimizer, "adamw<weight_decay = 0.1>");
}

TEST(Plan, LaunchesAndScratchMemoryRoundTrip) {
  Plan plan = smallPlan();
  EXPECT_TRUE(fromJson(toJson(plan))->kernels[0].launches.empty());
  plan.kernels[0].scratchBytes = 128;
  plan.kernels[0].launches = {{"matmul", 12, 256, 4096},
                              {"matmul_then1", 1, 32}};
  plan.programs[0].entries[0].gradients[0].squares = {"squares", 3, 256, 2048};
  std::get<KernelTask>(plan.programs[0].entries[0].tasks[0])
      .buffers.push_back(384);
  const auto read = fromJson(toJson(plan));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->kernels[0].scratchBytes, 128);
  ASSERT_EQ(read->kernels[0].launches.size(), 2u);
  EXPECT_EQ(read->kernels[0].launches[0].blocks, 12);
  EXPECT_EQ(read->kernels[0].launches[0].sharedBytes, 4096);
  EXPECT_EQ(read->kernels[0].launches[1].function, "matmul_then1");
  EXPECT_EQ(read->kernels[0].launches[1].threads, 32);
  const auto& squares = read->programs[0].entries[0].gradients[0].squares;
  ASSERT_TRUE(squares);
  EXPECT_EQ(squares->function, "squares");
  EXPECT_EQ(squares->blocks, 3);
}

TEST(Plan, EveryCollectiveKindRoundTrips) {
  using Kind = CollectiveTask::Kind;
  Plan plan = smallPlan();
  const auto add = [&](Kind kind, std::vector<int64_t> in,
                       std::vector<int64_t> out) {
    CollectiveTask task = collective(plan);
    task.kind = kind;
    task.reduction = ReductionKind::kMax;
    task.splitDim = 1;
    task.inShape = in;
    task.outShape = out;
    plan.programs[0].entries[0].tasks.push_back(task);
  };
  add(Kind::kAllGather, {2, 3}, {4, 3});
  add(Kind::kReduceScatter, {4, 3}, {2, 3});
  add(Kind::kAllToAll, {2, 6}, {4, 3});
  add(Kind::kSlice, {4, 3}, {2, 3});
  add(Kind::kPad, {2, 3}, {4, 3});
  add(Kind::kToPartial, {4, 3}, {4, 3});
  CollectiveTask halo = collective(plan);
  halo.kind = Kind::kHaloExchange;
  halo.extent = 4;
  halo.low = 1;
  halo.high = 2;
  halo.inShape = {2, 3};
  halo.outShape = {5, 3};
  plan.programs[0].entries[0].tasks.push_back(halo);
  CollectiveTask offset;
  offset.kind = Kind::kOffset;
  offset.axes = {0};
  offset.elementType = ElementType::kI64;
  offset.extent = 7;
  plan.programs[0].entries[0].tasks.push_back(offset);
  const std::string text = toJson(plan);
  const auto read = fromJson(text);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(toJson(*read), text);
}

TEST(Plan, ErrorsOfFormNameTheField) {
  const auto messageFor = [](std::string_view from, std::string_view to) {
    std::string text = toJson(smallPlan());
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << text;
    text.replace(at, from.size(), to);
    return std::string(fromJson(text).status().message());
  };
  EXPECT_EQ(messageFor("\"kernel\": 0", "\"kernel\": \"zero\""),
            "programs[0].entries[0].tasks[0].kernel: expected an integer, "
            "found \"zero\"");
  EXPECT_EQ(messageFor("\"isState\": false", "\"isstate\": false"),
            "parameters[0]: has no field \"isState\"");
  EXPECT_EQ(
      messageFor("f32", "f33"),
      "kernels[0].operands[0].type: expected f32, bf16, i32, i64 or i1, found "
      "\"f33\"");
  EXPECT_EQ(messageFor("S(0)", "S(x)"),
            "parameters[0].tensor.placement[0]: expected B, S(dim) or "
            "P(reduction), found \"S(x)\"");
  EXPECT_EQ(messageFor("\"size\": 2", "\"size\": 18446744073709551615"),
            "groups[0].axes[0].size: expected an integer, found "
            "18446744073709551615");
  EXPECT_THAT(messageFor("{", "["),
              testing::StartsWith("parse error at line 2, column 9"));
}

struct Contradiction {
  const char* message;
  std::function<void(Plan&)> introduce;
};

TEST(Plan, ContradictionsAreFound) {
  const Contradiction contradictions[] = {
      {"no group of ranks", [](Plan& p) { p.groups.clear(); }},
      {"axis \"gpu\" has size 0",
       [](Plan& p) { p.groups[0].axes[0].size = 0; }},
      {"two axes are named \"gpu\"",
       [](Plan& p) { p.groups[0].axes.push_back(p.groups[0].axes[0]); }},
      {"rank 2 of 3 is in no program",
       [](Plan& p) { p.groups[0].axes[0].size = 3; }},
      {"lists ranks; the first has all",
       [](Plan& p) { p.groups[0].ranks = {1, 0}; }},
      {"group 1 \"\": all ranks on 3 places, where there are 2",
       [](Plan& p) { p.groups.push_back(Group{{"gpu", 3}}); }},
      {"group 1 \"\": 1 ranks on 2 places",
       [](Plan& p) {
         p.groups.push_back(p.groups[0]);
         p.groups[1].ranks = {1};
       }},
      {"group 1 \"\": rank 2 of 2",
       [](Plan& p) {
         p.groups.push_back(p.groups[0]);
         p.groups[1].ranks = {1, 2};
       }},
      {"group 1 \"\": rank 1 twice",
       [](Plan& p) {
         p.groups.push_back(p.groups[0]);
         p.groups[1].ranks = {1, 1};
       }},
      {"of its ranks 0 and 1, one is of group \"\"",
       [](Plan& p) {
         p.groups.push_back(Group{{"gpu", 1}});
         p.groups[1].ranks = {1};
       }},
      {"\"w\" is on group 1 of 1",
       [](Plan& p) { p.parameters[0].tensor.group = 1; }},
      {"\"x\" is on group \"\", and rank 0 lacks it",
       [](Plan& p) { p.programs[0].entries[0].inputs[0] = kAbsent; }},
      {"task 1: group 1 of 1", [](Plan& p) { collective(p).group = 1; }},
      {"transfer of \"x\" from group 0 to itself",
       [](Plan& p) {
         Tensor x = p.entries[0].inputs[0];
         p.entries[0].transfers = {{x, x}};
       }},
      {"transfer 0 of \"x\": start_send 0 times on rank 0, not 2",
       [](Plan& p) {
         Tensor x = p.entries[0].inputs[0], there = x;
         there.group = 1;
         p.groups.push_back(p.groups[0]);
         p.entries[0].transfers = {{x, there, /*times=*/2}};
       }},
      {"rank 1 is in programs 0 and 1",
       [](Plan& p) {
         p.programs.push_back(p.programs[0]);
         p.programs[1].ranks = {1};
       }},
      {"program 0 lists rank 2 of 2 ranks",
       [](Plan& p) { p.programs[0].ranks = {0, 1, 2}; }},
      {"lists rank 0 after rank 1",
       [](Plan& p) { p.programs[0].ranks = {1, 0}; }},
      {"two parameters are named \"w\"",
       [](Plan& p) { p.parameters[1].tensor.name = "w"; }},
      {"\"w\" is a parameter or an input and has the placement [P(sum)]",
       [](Plan& p) { p.parameters[0].tensor.placement = {partial()}; }},
      {"\"w\" has the placement [] on a group of 1 axes",
       [](Plan& p) { p.parameters[0].tensor.placement = {}; }},
      {"\"w\" has 2 dimensions and is split along 2",
       [](Plan& p) { p.parameters[0].tensor.placement = {split(2)}; }},
      {"\"w\" is -1xf32", [](Plan& p) { p.parameters[0].tensor.shape = {-1}; }},
      {"no tensor of at most",
       [](Plan& p) {
         p.parameters[0].tensor.shape = {int64_t{1} << 40, int64_t{1} << 40};
       }},
      {"parameter \"w\" starts from a value that is not finite",
       [](Plan& p) { p.parameters[0].initializer.first = 1.0 / 0.0; }},
      {"\"x\" is 3x4xf32 whose elements are to be below 7",
       [](Plan& p) { p.entries[0].inputs[0].below = 7; }},
      {"\"x\" is 3x4xi32 whose elements are to be below 0",
       [](Plan& p) {
         p.entries[0].inputs[0].elementType = ElementType::kI32;
         p.entries[0].inputs[0].below = 0;
       }},
      {"two tensors are named \"x\"",
       [](Plan& p) { p.entries[0].inputs.push_back(p.entries[0].inputs[0]); }},
      {"1 buffers for 2 tensors",
       [](Plan& p) { p.programs[0].parameters.pop_back(); }},
      {"parameters \"w\" and \"m\" overlap on rank 0",
       [](Plan& p) { p.programs[0].parameters = {0, 0}; }},
      {"\"m\" of 48 bytes on rank 0 is at 192, not in [0, 192)",
       [](Plan& p) { p.programs[0].parameters[1] = 192; }},
      {"\"m\" of 48 bytes on rank 0 is at 65",
       [](Plan& p) { p.programs[0].parameters[1] = 65; }},
      {"an arena of 128 bytes, 192 of them persistent",
       [](Plan& p) { p.programs[0].entries[0].arenaBytes = 128; }},
      {"\"x\" of 24 bytes on rank 0 is at 64, not in [192, 512)",
       [](Plan& p) { p.programs[0].entries[0].inputs[0] = 64; }},
      {"entry \"forward\": task 0: kernel 1 of 1",
       [](Plan& p) {
         std::get<KernelTask>(p.programs[0].entries[0].tasks[0]).kernel = 1;
       }},
      {"task 0: buffer 576 of 24 bytes in an arena of 512",
       [](Plan& p) {
         std::get<KernelTask>(p.programs[0].entries[0].tasks[0]).buffers[0] =
             576;
       }},
      {"task 0: 2 buffers for the 3 tensors of kernel \"matmul\"",
       [](Plan& p) {
         std::get<KernelTask>(p.programs[0].entries[0].tasks[0])
             .buffers.pop_back();
       }},
      {"task 0: kernel \"matmul\" on -3xf32, no tensor",
       [](Plan& p) { p.kernels[0].results[0].shape = {-3}; }},
      {"task 0: 3 buffers for the 3 tensors of kernel \"matmul\" and its "
       "scratch "
       "memory",
       [](Plan& p) { p.kernels[0].scratchBytes = 64; }},
      {"task 0: buffer 448 of 128 bytes in an arena of 512",
       [](Plan& p) {
         p.kernels[0].scratchBytes = 128;
         std::get<KernelTask>(p.programs[0].entries[0].tasks[0])
             .buffers.push_back(448);
       }},
      {"kernel \"matmul\" is launched with 0 blocks of 256 threads",
       [](Plan& p) { p.kernels[0].launches = {{"matmul", 0, 256}}; }},
      {"kernel \"matmul\" is launched with 4 blocks of 2048 threads",
       [](Plan& p) { p.kernels[0].launches = {{"matmul", 4, 2048}}; }},
      {"kernel \"matmul\" launches no function",
       [](Plan& p) { p.kernels[0].launches = {{"", 4, 32}}; }},
      {"the first update is task 3 of 2",
       [](Plan& p) { p.programs[0].entries[0].firstUpdate = 3; }},
      {"a gradient of 18 elements at 448 in an arena of 512 bytes",
       [](Plan& p) { p.programs[0].entries[0].gradients[0].buffer = 448; }},
      {"a gradient of i32; gradients are floats",
       [](Plan& p) {
         p.programs[0].entries[0].gradients[0].elementType = ElementType::kI32;
       }},
      {"a gradient has a launch that adds up its squares, but kernels are for "
       "CPUs",
       [](Plan& p) {
         p.programs[0].entries[0].gradients[0].squares = {"squares", 1, 256};
       }},
      {"a gradient has no launch that adds up its squares, but kernels are for "
       "GPUs",
       [](Plan& p) { p.kernels[0].launches = {{"matmul", 4, 256}}; }},
      {"a gradient has copies along axis 1 of a group of 1 axes",
       [](Plan& p) { p.programs[0].entries[0].gradients[0].copyAxes = {1}; }},
      {"a task stands in call 0 of 0",
       [](Plan& p) { p.programs[0].entries[0].calls.clear(); }},
      {"call 0 stands in call 0",
       [](Plan& p) { p.programs[0].entries[0].calls[0].caller = 0; }},
      {"task 1: axis 1 of a group of 1 axes",
       [](Plan& p) { collective(p).axes = {1}; }},
      {"task 1: axis 0 after axis 0",
       [](Plan& p) { collective(p).axes = {0, 0}; }},
      {"task 1: turns 3x6xf32 into 3x5xf32",
       [](Plan& p) { collective(p).outShape = {3, 5}; }},
      {"task 1: buffers 256 of 72 bytes and 320 of 72 bytes overlap",
       [](Plan& p) { collective(p).out = 320; }},
      {"task 1: buffers 256 of 72 bytes and 256 of 36 bytes overlap",
       [](Plan& p) {
         collective(p).kind = CollectiveTask::Kind::kReduceScatter;
         collective(p).dim = 1;
         collective(p).outShape = {3, 3};
         collective(p).out = collective(p).in;
       }},
      {"task 1: buffer 448 of 72 bytes in an arena of 512",
       [](Plan& p) { collective(p).out = 448; }},
      {"rank 0 has 2 of 3 along dimension 0; its part of the group is 1",
       [](Plan& p) {
         collective(p).kind = CollectiveTask::Kind::kReduceScatter;
         collective(p).outShape = {2, 6};
       }},
      {"splits dimension 0 and gathers dimension 0",
       [](Plan& p) { collective(p).kind = CollectiveTask::Kind::kAllToAll; }},
      {"not an i64 scalar",
       [](Plan& p) { collective(p).kind = CollectiveTask::Kind::kOffset; }},
      {"rank 0 takes part in 1 collectives, rank 1 in 0",
       [](Plan& p) {
         p.programs.push_back(p.programs[0]);
         p.programs[0].ranks = {0};
         p.programs[1].ranks = {1};
         p.programs[1].entries[0].tasks.pop_back();
       }},
  };
  EXPECT_TRUE(check(smallPlan()).ok());
  for (const Contradiction& contradiction : contradictions) {
    Plan plan = smallPlan();
    contradiction.introduce(plan);
    EXPECT_THAT(std::string(check(plan).message()),
                HasSubstr(contradiction.message));
  }
}

TEST(Plan, MayReduceInPlace) {
  Plan plan = smallPlan();
  collective(plan).out = collective(plan).in;
  EXPECT_TRUE(check(plan).ok()) << check(plan);
}

TEST(Plan, MutatedTextsAreReadOrRejectedButNeverCrash) {
  const std::string original = toJson(smallPlan());
  const std::string alphabet = "{}[]\",:0123456789-eE.SBP()ftn \n";
  std::mt19937 random(1);
  const auto pick = [&](size_t count) { return random() % count; };
  int numAccepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = original;
    for (size_t edits = 1 + pick(4); edits > 0; --edits) {
      const size_t at = pick(text.size());
      switch (pick(3)) {
        case 0:
          text[at] = alphabet[pick(alphabet.size())];
          break;
        case 1:
          text.erase(at, 1 + pick(20));
          break;
        case 2:
          text.insert(at, original.substr(pick(original.size()), pick(12)));
          break;
      }
    }
    const auto plan = fromJson(text);
    if (!plan.ok()) {
      EXPECT_FALSE(plan.status().message().empty()) << text;
      continue;
    }
    ++numAccepted;
    const auto again = fromJson(toJson(*plan));
    ASSERT_TRUE(again.ok()) << again.status().message() << "\n" << text;
  }
  // Some edits leave a valid plan (a name, a number that nothing contradicts).
  EXPECT_GT(numAccepted, 0);
}

}  // namespace
}  // namespace sbp::plan
