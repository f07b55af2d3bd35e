#include "codegen/plan/testing/SymbolicPlan.h"

#include <map>

#include "dialects/nn/Calls.h"
#include "dialects/rank/Rank.h"
#include "gtest/gtest.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/SymbolTable.h"
#include "runtime/plan/Buckets.h"

namespace sbp::testing {

using mlir::func::FuncOp;
using mlir::func::ReturnOp;

int64_t bytesOf(Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

std::optional<KernelNeeds> SymbolicTarget::lookUp(Operation* op) const {
  KernelNeeds needs;
  // Stands for kernels that pack their operands.
  if (llvm::isa<nn::AddOp>(op)) needs.scratchBytes = 4096;
  if (llvm::isa<nn::MomentumOp>(op)) needs.mostAtOnce = 2;
  bool isElementwise = llvm::isa<nn::AddOp, nn::ReluOp, nn::MomentumOp>(op);
  needs.inPlace = inPlacePairs(op, [&](unsigned result, unsigned operand) {
    return isElementwise &&
           op->getOperand(operand).getType() == op->getResult(result).getType();
  });
  return needs;
}

FailureOr<int64_t> SymbolicKernels::kernelFor(Operation* op,
                                              ArrayRef<int64_t> inPlace,
                                              int64_t count) {
  SmallVector<int64_t> operandOf(inPlace);
  operandOf.resize(count * op->getNumResults(), kOwnBuffer);
  for (auto [number, use] : llvm::enumerate(uses))
    if (use.op == op && use.inPlace == operandOf && use.count == count)
      return static_cast<int64_t>(number);
  uses.push_back(
      {op, std::move(operandOf), target_.lookUp(op)->scratchBytes, count});
  return static_cast<int64_t>(uses.size()) - 1;
}

std::vector<std::string> SymbolicKernels::kernelNames() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < uses.size(); ++i)
    names.push_back("kernel" + std::to_string(i));
  return names;
}

namespace {

/// A symbolic value: a hash of the expression that computes it.
using Term = uint64_t;

/// The term of every tensor without elements, since memory cannot tell them
/// apart.
constexpr Term kEmpty = 77;
/// The term of a tensor that a loop carries, before the first iteration.
constexpr Term kZeros = 78;

/// Returns the term of result `result` of an op called `name`.
Term termOf(StringRef name, size_t result, ArrayRef<Term> operands) {
  return static_cast<size_t>(
      llvm::hash_combine(name, result, llvm::hash_combine_range(operands)));
}

/// Evaluates a rank program on terms, by walking through its functions.
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
        auto callee = nn::calleeOf(call, symbols_);
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

  std::map<std::string, Term> parameters;  // before the run
  std::map<std::string, Term> updated;     // after the run

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

  /// Returns the term in a buffer; if it holds several, a term that occurs
  /// nowhere else.
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

/// Runs entry 0 of a plan for one rank on terms.
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
      if (const auto* kernel = std::get_if<plan::KernelTask>(&task)) {
        runKernel(*kernel);
        continue;
      }
      const auto end = static_cast<size_t>(
          plan::bucketEnd(entry_.tasks, static_cast<int64_t>(number)));
      ASSERT_LE(end, last);
      runBucket(number, end);
      number = end - 1;
    }
  }

  /// Runs the tasks [first, last), the tasks of loops several times.
  void runWithLoops(size_t first, size_t last) {
    for (const plan::Loop& loop : entry_.loops) {
      auto begin = static_cast<size_t>(loop.first);
      if (begin < first || begin >= last) continue;
      run(first, begin);
      for (const plan::Loop::Carried& carried : loop.carried)
        arena_.write(carried.buffer, carried.bytes, kZeros);
      for (int64_t time = 0; time < loop.numMicroBatches; ++time)
        run(begin, loop.last);
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
    for (int64_t i = 0; i < use.count; ++i)
      for (Type type : op->getOperandTypes())
        operands.push_back({task.buffers.at(next++), bytesOf(type)});
    for (int64_t i = 0; i < use.count; ++i)
      for (Type type : op->getResultTypes())
        results.push_back({task.buffers.at(next++), bytesOf(type)});
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
    for (const Argument& operand : operands)
      terms.push_back(arena_.read(operand.offset, operand.bytes));
    const size_t numOperands = op->getNumOperands();
    const size_t numResults = op->getNumResults();
    for (auto [i, result] : llvm::enumerate(results))
      arena_.write(result.offset, result.bytes,
                   termOf(op->getName().getStringRef(), i % numResults,
                          ArrayRef(terms).slice(i / numResults * numOperands,
                                                numOperands)));
  }

  /// Runs the collectives [first, last), one bucket: all operands are read
  /// before any result is written, and no two results overlap.
  void runBucket(size_t first, size_t last) {
    struct Write {
      Argument to;
      Term value;
    };
    std::vector<Write> writes;
    for (size_t number = first; number < last; ++number) {
      const auto& task = std::get<plan::CollectiveTask>(entry_.tasks[number]);
      int64_t bytes = plan::byteWidth(task.elementType);
      for (int64_t extent : task.inShape) bytes *= extent;
      const Argument to = {task.out, bytes};
      EXPECT_TRUE(task.in == task.out || !overlap({task.in, bytes}, to));
      for (const Write& write : writes) EXPECT_FALSE(overlap(write.to, to));
      Term in = arena_.read(task.in, bytes);
      bool isCopy = task.axes.empty();
      writes.push_back({to, isCopy ? in : termOf("rank.all_reduce", 0, {in})});
    }
    for (const Write& write : writes)
      arena_.write(write.to.offset, write.to.bytes, write.value);
  }

  const plan::Program& program_;
  const plan::EntryProgram& entry_;
  const SymbolicKernels& kernels_;
  SymbolicArena arena_;
};

}  // namespace

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
              bytes == 0 ? kEmpty
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
  // Inputs keep their values, for the next run.
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
    EXPECT_EQ(execution.arena().read(tasks.inputs[i], bytesOf(type)),
              bytesOf(type) == 0 ? kEmpty : inputs[i])
        << "input " << i;
}

}  // namespace sbp::testing
