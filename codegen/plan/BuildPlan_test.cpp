// Plans are executed on symbols: a kernel's result is a term over its operands,
// written over all bytes of its buffer. If two buffers that are needed at once
// overlapped, if a result overwrote an operand that it must not, if a parameter
// were updated too early or not at all, the terms at the end would be others
// than those that the program means.

#include "codegen/plan/BuildPlan.h"

#include <iostream>
#include <map>
#include <string>

#include "codegen/plan/PlanBuffers.h"
#include "codegen/plan/testing/RandomProgram.h"
#include "dialects/Dialects.h"
#include "dialects/nn/Calls.h"
#include "dialects/rank/Rank.h"
#include "gtest/gtest.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace sbp {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

/// A term: what was computed, as a number that depends on all of it.
using Term = uint64_t;

/// The term of every tensor without elements: memory cannot hold another.
constexpr Term kEmpty = 77;
constexpr Term kZeros = 78;

/// Result `result` of an op called `name`.
Term termOf(StringRef name, size_t result, ArrayRef<Term> operands) {
  return static_cast<size_t>(
      llvm::hash_combine(name, result, llvm::hash_combine_range(operands)));
}

int64_t bytesOf(Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

/// Kernels that are known by the op that asked for them.
class SymbolicKernels : public KernelProvider {
 public:
  FailureOr<KernelNeeds> needsOf(Operation* op) override {
    KernelNeeds needs;
    // As if some kernels needed to pack something.
    if (llvm::isa<nn::AddOp>(op)) needs.scratchBytes = 4096;
    bool isElementwise = llvm::isa<nn::AddOp, nn::ReluOp, nn::MomentumOp>(op);
    for (int64_t i = 0; isElementwise && i < op->getNumOperands(); ++i)
      for (int64_t j = 0; j < op->getNumResults(); ++j)
        if (op->getOperand(i).getType() == op->getResult(j).getType())
          needs.inPlace.push_back({i, j});
    return needs;
  }
  FailureOr<int64_t> kernelFor(Operation* op,
                               ArrayRef<int64_t> inPlace) override {
    SmallVector<int64_t> operandOf(inPlace);
    operandOf.resize(op->getNumResults(), kOwnBuffer);
    for (auto [number, use] : llvm::enumerate(uses))
      if (use.op == op && use.inPlace == operandOf)
        return static_cast<int64_t>(number);
    uses.push_back({op, std::move(operandOf), needsOf(op)->scratchBytes});
    return static_cast<int64_t>(uses.size()) - 1;
  }
  std::vector<std::string> kernelNames() const override {
    std::vector<std::string> names;
    for (size_t i = 0; i < uses.size(); ++i)
      names.push_back("kernel" + std::to_string(i));
    return names;
  }

  struct Use {
    Operation* op;
    SmallVector<int64_t> inPlace;  // by result
    int64_t scratchBytes;
  };
  std::vector<Use> uses;
};

/// What a program means: its terms, by walking through it.
class Meaning {
 public:
  explicit Meaning(rank::ProgramOp program) : symbols_(program) {
    for (auto parameter : program.getBody().getOps<nn::ParameterOp>())
      parameters[parameter.getSymName().str()] =
          bytesOf(parameter.getType()) == 0
              ? kEmpty
              : termOf(parameter.getSymName(), 0, {});
    updated = parameters;
  }

  SmallVector<Term> run(FuncOp function, ArrayRef<Term> arguments) {
    llvm::DenseMap<Value, Term> terms;
    auto define = [&](Value value, Term term) {
      terms[value] = bytesOf(value.getType()) == 0 ? kEmpty : term;
    };
    for (auto [argument, term] : llvm::zip(function.getArguments(), arguments))
      define(argument, term);
    for (Operation& op : function.getBody().front()) {
      auto operands = llvm::map_to_vector(
          op.getOperands(), [&](Value value) { return terms.at(value); });
      if (llvm::isa<ReturnOp>(op)) return operands;
      if (auto set = llvm::dyn_cast<nn::SetOp>(op)) {
        updated[set.getName().str()] = operands[0];
      } else if (auto get = llvm::dyn_cast<nn::GetOp>(op)) {
        define(get.getResult(), parameters.at(get.getName().str()));
      } else if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op)) {
        operands.append(nn::numCarried(call), kZeros);
        auto callee = symbols_.lookup<FuncOp>(nn::calleeOf(call).getAttr());
        for (int64_t time = 0; time < nn::timesOf(call); ++time) {
          SmallVector<Term> results = run(callee, operands);
          for (auto [result, term] : llvm::zip(op.getResults(), results))
            define(result, term);
          if (llvm::isa<nn::RepeatOp>(op))
            llvm::copy(results, operands.end() - results.size());
        }
      } else if (llvm::isa<nn::ReshapeOp>(op)) {
        define(op.getResult(0), operands[0]);
      } else {
        for (auto [index, result] : llvm::enumerate(op.getResults()))
          define(result, termOf(op.getName().getStringRef(), index, operands));
      }
    }
    return {};
  }

  std::map<std::string, Term> parameters;  // before
  std::map<std::string, Term> updated;     // after

 private:
  mlir::SymbolTable symbols_;
};

/// The arena of a rank, one term for every kBufferAlignment bytes.
class SymbolicArena {
 public:
  explicit SymbolicArena(int64_t bytes)
      : blocks_((bytes + plan::kBufferAlignment - 1) / plan::kBufferAlignment) {
  }

  void write(int64_t offset, int64_t bytes, Term term) {
    for (int64_t block = offset / plan::kBufferAlignment;
         block * plan::kBufferAlignment < offset + bytes; ++block)
      blocks_.at(block) = term;
  }

  /// The term in a buffer; a term that nothing else has if it has several.
  Term read(int64_t offset, int64_t bytes) const {
    if (bytes == 0) return kEmpty;
    int64_t block = offset / plan::kBufferAlignment;
    Term term = blocks_.at(block);
    for (; block * plan::kBufferAlignment < offset + bytes; ++block)
      if (blocks_.at(block) != term) return ~term * 31;
    return term;
  }

 private:
  std::vector<Term> blocks_;
};

/// Runs entry 0 of a plan with one rank on symbols.
class Execution {
 public:
  Execution(const plan::Plan& plan, const SymbolicKernels& kernels)
      : program_(plan.programs[0]),
        entry_(program_.entries[0]),
        kernels_(kernels),
        arena_(entry_.arenaBytes) {}

  SymbolicArena& arena() { return arena_; }

  /// Runs the tasks [first, last).
  void run(size_t first, size_t last) {
    for (size_t number = first; number < last; ++number) {
      const plan::Task& task = entry_.tasks[number];
      if (const auto* kernel = std::get_if<plan::KernelTask>(&task))
        runKernel(*kernel);
      else
        runCollective(std::get<plan::CollectiveTask>(task));
    }
  }

  /// Runs the tasks [first, last), those of loops several times.
  void runWithLoops(size_t first, size_t last) {
    for (const plan::Loop& loop : entry_.loops) {
      auto begin = static_cast<size_t>(loop.first);
      if (begin < first || begin >= last) continue;
      run(first, begin);
      for (const plan::Loop::Carried& carried : loop.carried)
        arena_.write(carried.buffer, carried.bytes, kZeros);
      for (int64_t time = 0; time < loop.times; ++time) run(begin, loop.last);
      first = loop.last;
    }
    run(first, last);
  }

 private:
  struct Argument {
    int64_t offset, bytes;
  };

  static bool overlap(Argument a, Argument b) {
    return a.bytes > 0 && b.bytes > 0 && a.offset < b.offset + b.bytes &&
           b.offset < a.offset + a.bytes;
  }

  void runKernel(const plan::KernelTask& task) {
    const SymbolicKernels::Use& use = kernels_.uses[task.kernel];
    Operation* op = use.op;
    SmallVector<Argument> operands, results;
    size_t next = 0;
    for (Value value : op->getOperands())
      operands.push_back({task.buffers.at(next++), bytesOf(value.getType())});
    for (Value value : op->getResults())
      results.push_back({task.buffers.at(next++), bytesOf(value.getType())});
    if (use.scratchBytes > 0) {
      Argument scratch{task.buffers.at(next++), use.scratchBytes};
      for (Argument other : llvm::concat<Argument>(operands, results))
        EXPECT_FALSE(overlap(scratch, other)) << "scratch memory is in use";
      arena_.write(scratch.offset, scratch.bytes, 0xdead);
    }
    EXPECT_EQ(next, task.buffers.size());
    for (auto [i, result] : llvm::enumerate(results)) {
      for (auto [j, operand] : llvm::enumerate(operands)) {
        if (use.inPlace[i] == static_cast<int64_t>(j))
          EXPECT_EQ(result.offset, operand.offset);
        else
          EXPECT_FALSE(overlap(result, operand))
              << "result " << i << " overwrites operand " << j;
      }
      for (size_t other = 0; other < i; ++other)
        EXPECT_FALSE(overlap(result, results[other])) << "two results overlap";
    }
    SmallVector<Term> terms;
    for (auto [operand, value] : llvm::zip(operands, op->getOperands()))
      terms.push_back(arena_.read(operand.offset, operand.bytes));
    for (auto [i, result] : llvm::enumerate(results))
      arena_.write(result.offset, result.bytes,
                   termOf(op->getName().getStringRef(), i, terms));
  }

  void runCollective(const plan::CollectiveTask& task) {
    int64_t bytes = plan::byteWidth(task.elementType);
    for (int64_t extent : task.inShape) bytes *= extent;
    EXPECT_TRUE(task.in == task.out ||
                !overlap({task.in, bytes}, {task.out, bytes}));
    Term in = arena_.read(task.in, bytes);
    bool isCopy = task.axes.empty();
    arena_.write(task.out, bytes,
                 isCopy ? in : termOf("rank.all_reduce", 0, {in}));
  }

  const plan::Program& program_;
  const plan::EntryProgram& entry_;
  const SymbolicKernels& kernels_;
  SymbolicArena arena_;
};

class BuildPlan : public ::testing::Test {
 protected:
  BuildPlan() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
  }

  mlir::OwningOpRef<ModuleOp> parse(StringRef body) {
    std::string text =
        "sbp.machine @one [#sbp.level<\"rank\" x 1, alpha = 0.0, beta = 0.0>]\n"
        "rank.program @all on @one ranks [0] {\n" +
        body.str() + "}\n";
    auto module = mlir::parseSourceString<ModuleOp>(text, &context_);
    EXPECT_TRUE(module) << text;
    return module;
  }

  /// The plan of `module`, whose first entry does what it means.
  plan::Plan checkedPlan(ModuleOp module) {
    SymbolicKernels kernels;
    auto plan = buildPlan(module, "test", kernels);
    EXPECT_TRUE(succeeded(plan));
    if (failed(plan)) return {};
    expectMeaning(module, *plan, kernels);
    return std::move(*plan);
  }

  void expectMeaning(ModuleOp module, const plan::Plan& plan,
                     const SymbolicKernels& kernels) {
    auto program = *module.getOps<rank::ProgramOp>().begin();
    auto functions = program.getBody().getOps<FuncOp>();
    FuncOp entry =
        *llvm::find_if(functions, [](FuncOp f) { return f.isPublic(); });
    Meaning meaning(program);
    Execution execution(plan, kernels);
    const plan::EntryProgram& tasks = plan.programs[0].entries[0];

    auto parameters =
        llvm::to_vector(program.getBody().getOps<nn::ParameterOp>());
    for (auto [i, parameter] : llvm::enumerate(parameters))
      execution.arena().write(
          plan.programs[0].parameters[i], bytesOf(parameter.getType()),
          meaning.parameters.at(parameter.getSymName().str()));
    SmallVector<Term> inputs;
    for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
      inputs.push_back(termOf("input", i, {}));
      execution.arena().write(tasks.inputs[i], bytesOf(type), inputs[i]);
    }

    execution.runWithLoops(0, tasks.firstUpdate);
    for (auto [i, parameter] : llvm::enumerate(parameters)) {
      int64_t bytes = bytesOf(parameter.getType());
      EXPECT_EQ(execution.arena().read(plan.programs[0].parameters[i], bytes),
                bytes == 0
                    ? kEmpty
                    : meaning.parameters.at(parameter.getSymName().str()))
          << "parameter " << i << " changes before the first update";
    }
    execution.runWithLoops(tasks.firstUpdate, tasks.tasks.size());
    SmallVector<Term> results = meaning.run(entry, inputs);
    for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
      EXPECT_EQ(execution.arena().read(tasks.outputs[i], bytesOf(type)),
                results[i])
          << "result " << i;
    for (auto [i, parameter] : llvm::enumerate(parameters))
      EXPECT_EQ(execution.arena().read(plan.programs[0].parameters[i],
                                       bytesOf(parameter.getType())),
                meaning.updated.at(parameter.getSymName().str()))
          << "parameter " << i;
    // An input is still there, for the next run.
    for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
      EXPECT_EQ(execution.arena().read(tasks.inputs[i], bytesOf(type)),
                bytesOf(type) == 0 ? kEmpty : inputs[i])
          << "input " << i;
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
  EXPECT_EQ(entry.loops[0].times, 3);
  EXPECT_EQ(entry.tasks.size(), 2u);
  ASSERT_EQ(entry.loops[0].carried.size(), 1u);
  EXPECT_EQ(entry.outputs[0], entry.loops[0].carried[0].buffer);
}

TEST_F(BuildPlan, updates_parameters_where_they_lie) {
  plan::Plan plan = checkedPlan(*parse(kTrainStep));
  EXPECT_EQ(numCopies(plan), 0u);
  // Beside the parameters: g, lr, and exp(w), which the sum may overwrite.
  EXPECT_EQ(plan.programs[0].persistentBytes, 2 * 4032);
  EXPECT_LE(plan.programs[0].entries[0].arenaBytes,
            2 * 4032 + 4032 + 64 + 4032 + 4096 + 64);
}

/// What the tasks of the first entry run, in their order: ops and copies.
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

TEST_F(BuildPlan, copies_an_update_that_is_an_output_too) {
  // The new value of @w is an output: it is there before any update.
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

/// The collectives of the first entry, copies aside.
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
  // A kernel for each op of the text, not for each call.
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

TEST_F(BuildPlan, says_how_many_ops_calls_come_to) {
  // Of 41 and of 70 functions; where the first is empty, there are calls only.
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
      {R"(nn.parameter @w : tensor<4xf32> = #nn.zeros)",
       "does not say by 'rank.whole'"},
      {R"(func.func @f(%x: tensor<4xf32>) { return })",
       "does not say by 'rank.whole' of which placed tensor argument 0"},
      {R"(func.func private @f() { func.call @f() : () -> () return }
          func.func @g() { func.call @f() : () -> () return })",
       "calls itself"},
      {R"(nn.parameter @w : tensor<4xbf16> = #nn.zeros)",
       "does not say by 'rank.whole'"},
      {R"(nn.parameter @w : tensor<4xbf16> = #nn.zeros
            {rank.whole = tensor<4xbf16, #sbp.nd<@one, [B]>>})",
       "has a tensor of 'bf16'; a compiled program has f32, i32, i64 and i1"},
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
