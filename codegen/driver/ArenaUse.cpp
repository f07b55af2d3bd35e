#include "codegen/driver/ArenaUse.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "codegen/driver/LocalForm.h"
#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/LayOutEntry.h"
#include "codegen/plan/LoopSlots.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/EntryNames.h"
#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/cost/LocalMemory.h"
#include "passes/localize/WholeProgram.h"
#include "passes/schedule/Slots.h"
#include "passes/stages/PipelineOrder.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/Stages.h"
#include "runtime/plan/Plan.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;
using search::MemoryParts;

std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

std::string nameOf(Operation* op) {
  return fmt::format("'{}'", op->getName().getStringRef().str());
}

int64_t aligned(int64_t bytes) {
  return static_cast<int64_t>(llvm::alignTo(bytes, plan::kBufferAlignment));
}

/// Whether `op` adds a gradient to others, perhaps after collectives have moved
/// it.
bool addsGradient(Operation* op) {
  return llvm::isa<nn::AddOp>(op) &&
         llvm::any_of(op->getOperands(), [](Value term) {
           Operation* maker = term.getDefiningOp();
           while (maker && maker->getNumOperands() > 0 &&
                  rank::isMovement(maker))
             maker = maker->getOperand(0).getDefiningOp();
           return maker && maker->hasAttr(nn::kAdjointOfAttrName);
         });
}

/// Reads the use of one entry's arena off its layout.
class ArenaReader {
 public:
  ArenaReader(rank::ProgramOp program, FuncOp entry, const EntryMemory& memory,
              const ParameterVersions& versions)
      : program_(program),
        entry_(entry),
        memory_(memory),
        versions_(versions),
        positions_(argumentPositions(entry)),
        gradients_(memoryOfGradients()) {}

  ArenaUse run() {
    const std::vector<ListedTask>& tasks = memory_.list.tasks;
    findBusiest();
    Operation* op = busiest_ < static_cast<int64_t>(tasks.size())
                        ? tasks[busiest_].op
                        : nullptr;
    ArenaUse use = {
        entry_.getName().str(),
        entry_.getLoc(),
        program_.getRanks().front(),
        memory_.layout.bytes,
        op ? fmt::format("while {} runs in @{}", nameOf(op),
                         op->getParentOfType<FuncOp>().getName().str())
           : "while tensors are copied",
        op ? op->getLoc() : entry_.getLoc(),
        {},
        {}};
    addParameters(use);
    addTemporaries(use);
    use.parts.gaps = static_cast<double>(use.bytes) - use.parts.sum();
    llvm::sort(use.tensors, [](const ArenaTensor& a, const ArenaTensor& b) {
      return std::tie(b.bytes, a.description) <
             std::tie(a.bytes, b.description);
    });
    return use;
  }

 private:
  /// Finds the first task at which most bytes are live.
  void findBusiest() {
    std::vector<int64_t> changes(memory_.list.tasks.size() + 2, 0);
    for (const LiveBuffer& range : memory_.liveRanges) {
      if (range.bytes == 0) continue;
      changes[range.first] += aligned(range.bytes);
      changes[range.last + 1] -= aligned(range.bytes);
    }
    int64_t needed = 0, most = 0;
    for (auto [task, change] : llvm::enumerate(changes)) {
      needed += change;
      if (needed <= most) continue;
      most = needed;
      busiest_ = static_cast<int64_t>(task);
    }
  }

  void addParameters(ArenaUse& use) {
    for (auto parameter : program_.getBody().getOps<nn::ParameterOp>()) {
      auto bytes = bytesInMemory(
          parameter, llvm::cast<RankedTensorType>(parameter.getType()));
      if (failed(bytes)) continue;
      bool isState = static_cast<bool>(parameter.getState());
      const int64_t count =
          std::max<int64_t>(versions_.lookup(parameter.getSymName()), 1);
      use.bytes += count * aligned(*bytes);
      add(use, isState ? &MemoryParts::state : &MemoryParts::parameters,
          fmt::format("{}{} @{}, {}",
                      count > 1 ? fmt::format("{} versions of ", count) : "",
                      isState ? "optimiser state" : "parameter",
                      parameter.getSymName().str(),
                      textOf(parameter.getType())),
          parameter.getLoc(), count * aligned(*bytes));
    }
  }

  void addTemporaries(ArenaUse& use) {
    const std::vector<TaskBuffer>& buffers = memory_.list.buffers;
    std::vector<int64_t> holds = heldAtBusiest();
    int64_t scratch = memory_.scratchOf.empty() || !isTask(busiest_)
                          ? -1
                          : memory_.scratchOf[busiest_];
    if (scratch >= 0) addScratch(use, memory_.liveRanges[scratch].bytes);
    for (size_t index = 0; index < buffers.size(); ++index)
      if (const LiveBuffer& range = memory_.liveRanges[index];
          isNeeded(range) && holds[index] >= 0)
        addBuffer(use, holds[index], makers_[holds[index]], range.bytes);
    for (const std::vector<SlotsInMemory>& ofLoop : memory_.slots)
      for (const SlotsInMemory& placed : ofLoop)
        if (isNeeded(memory_.liveRanges[placed.liveRange]))
          addSlots(use, placed.slots);
  }

  bool isTask(int64_t index) const {
    return index < static_cast<int64_t>(memory_.list.tasks.size());
  }

  bool isNeeded(const LiveBuffer& range) const {
    return range.bytes > 0 && range.first <= busiest_ && range.last >= busiest_;
  }

  /// Adds each buffer in `slots`, once per slot.
  void addSlots(ArenaUse& use, const SlotGroup& slots) {
    llvm::DenseMap<int64_t, Operation*> makers;  // the first op, by memory
    for (const ListedTask& task : memory_.list.tasks)
      for (int64_t output : task.outputs)
        makers.try_emplace(memory_.memoryOf[output], task.op);
    for (int64_t buffer : slots.buffers)
      addBuffer(use, buffer, makers.lookup(buffer),
                slots.numSlots * aligned(memory_.list.buffers[buffer].bytes));
  }

  /// Returns, by memory (EntryMemory::memoryOf), the buffer whose value lies
  /// there at the busiest task; -1: none.
  std::vector<int64_t> heldAtBusiest() {
    const std::vector<TaskBuffer>& buffers = memory_.list.buffers;
    makers_.assign(buffers.size(), nullptr);
    std::vector<int64_t> holds(buffers.size(), -1);
    for (auto [index, buffer] : llvm::enumerate(buffers))
      if (buffer.kind == TaskBuffer::Kind::Input)
        holds[index] = static_cast<int64_t>(index);
    for (auto [number, task] : llvm::enumerate(memory_.list.tasks)) {
      if (static_cast<int64_t>(number) > busiest_) break;
      for (int64_t output : task.outputs) {
        makers_[output] = task.op;
        holds[memory_.memoryOf[output]] = output;
      }
    }
    for (const ListedLoop& loop : memory_.list.loops)
      if (loop.first <= busiest_) holdCarried(loop, holds);
    return holds;
  }

  /// Adds the buffers that `loop` carries: they hold values before a task has
  /// written them.
  void holdCarried(const ListedLoop& loop, std::vector<int64_t>& holds) {
    for (int64_t carried : loop.carried)
      if (int64_t& held = holds[memory_.memoryOf[carried]]; held < 0)
        held = carried;
    for (int64_t index = loop.first; index < loop.last; ++index)
      for (int64_t output : memory_.list.tasks[index].outputs)
        if (int64_t held = holds[memory_.memoryOf[output]];
            held >= 0 && !makers_[held])
          makers_[held] = memory_.list.tasks[index].op;
  }

  /// Returns the memory that gradients of parameters lie in.
  llvm::DenseSet<int64_t> memoryOfGradients() const {
    llvm::DenseSet<int64_t> memory;
    for (const ListedGradient& gradient : memory_.list.gradients)
      memory.insert(memory_.memoryOf[gradient.buffer]);
    return memory;
  }

  void addScratch(ArenaUse& use, int64_t bytes) {
    Operation* op = memory_.list.tasks[busiest_].op;
    add(use, &MemoryParts::working,
        fmt::format("scratch memory of {}", nameOf(op)), op->getLoc(), bytes);
  }

  void addBuffer(ArenaUse& use, int64_t buffer, Operation* maker,
                 int64_t bytes) {
    const TaskBuffer& held = memory_.list.buffers[buffer];
    std::string type = textOf(held.type);
    if (held.kind == TaskBuffer::Kind::Input) {
      auto number = static_cast<unsigned>(buffer - numParameters());
      const std::string name =
          nn::inputName(entry_.getArgAttrDict(number), positions_[number]);
      add(use, &MemoryParts::inputs, fmt::format("input {}, {}", name, type),
          entry_.getArgument(number).getLoc(), bytes);
      return;
    }
    if (!maker || rank::isMovement(maker))
      add(use, &MemoryParts::boxed,
          fmt::format("copy in another placement, {}", type),
          maker ? maker->getLoc() : entry_.getLoc(), bytes);
    else if (maker->hasAttr(nn::kAdjointOfAttrName) || addsGradient(maker) ||
             gradients_.contains(memory_.memoryOf[buffer]))
      add(use, &MemoryParts::gradients,
          fmt::format("gradient, {}, made by {}", type, nameOf(maker)),
          maker->getLoc(), bytes);
    else
      add(use, &MemoryParts::activations,
          fmt::format("activation, {}, made by {}", type, nameOf(maker)),
          maker->getLoc(), bytes);
  }

  int64_t numParameters() const {
    return llvm::count_if(memory_.list.buffers, [](const TaskBuffer& buffer) {
      return buffer.kind == TaskBuffer::Kind::Parameter;
    });
  }

  static void add(ArenaUse& use, double MemoryParts::* part,
                  std::string description, Location location, int64_t bytes) {
    use.parts.*part += static_cast<double>(aligned(bytes));
    use.tensors.push_back({std::move(description), location, bytes});
  }

  rank::ProgramOp program_;
  FuncOp entry_;
  const EntryMemory& memory_;
  const ParameterVersions& versions_;
  SmallVector<int64_t> positions_;  // of the arguments in the whole entry
  const llvm::DenseSet<int64_t> gradients_;  // memory
  int64_t busiest_ = 0;
  std::vector<Operation*> makers_;  // by buffer: the op that made its value
};

/// Returns ArenaUse::stages for `rank`, by the schedule of `local`.
std::string stagesText(ModuleOp local, int64_t rank) {
  StagesOp stages = stagesOf(local);
  FailureOr<std::optional<schedule::Table>> table = scheduleOf(local);
  if (!stages || failed(table) || !*table) return "";
  const StageWorkers workers = workersOf(stages);
  const auto slots = schedule::slotsOf(**table);
  const auto parts = static_cast<double>((*table)->partsPerMicroBatch);
  for (auto [worker, group] : llvm::enumerate(workers.groups)) {
    FailureOr<Mesh> mesh = lookupMesh(stages, group);
    if (failed(mesh) || mesh->positionOf(rank) < 0) continue;
    std::vector<std::string> texts;
    for (const schedule::StageSlots& held : slots[worker]) {
      std::string text = fmt::format(
          "stage {}, of which it holds {:.4g} of {} micro-batches at once",
          held.stage, static_cast<double>(held.inFlight) / parts,
          (*table)->numMicroBatches);
      if (held.weights > 1)
        text += fmt::format(" and {} versions of its weights", held.weights);
      texts.push_back(std::move(text));
    }
    return fmt::format("rank {} is in group @{}, which runs {}", rank,
                       group.getValue().str(), fmt::join(texts, "; "));
  }
  return "";
}

/// Returns the result of allArenas for a local program.
std::optional<std::vector<ArenaUse>> usesOf(ModuleOp local,
                                            const KernelTarget& target) {
  mlir::ScopedDiagnosticHandler silently(local.getContext(),
                                         [](mlir::Diagnostic&) {});
  auto pipeline = PipelineOrder::fromModule(local);
  if (failed(pipeline)) return std::nullopt;
  const ParameterVersions versions = versionsOf(local);
  std::vector<ArenaUse> uses;
  for (auto program : local.getOps<rank::ProgramOp>())
    for (auto entry : program.getBody().getOps<FuncOp>()) {
      if (!entry.isPublic()) continue;
      FailureOr<EntryMemory> memory =
          layOutEntry(entry, target, versions, *pipeline);
      if (failed(memory)) return std::nullopt;
      uses.push_back(ArenaReader(program, entry, *memory, versions).run());
      uses.back().stages = stagesText(local, uses.back().rank);
    }
  if (uses.empty()) return std::nullopt;
  return uses;
}

/// Returns for each entry the use of its largest arena.
std::vector<ArenaUse> largestByEntry(std::vector<ArenaUse> all) {
  std::vector<ArenaUse> uses;
  for (ArenaUse& use : all) {
    auto known = llvm::find_if(
        uses, [&](const ArenaUse& other) { return other.entry == use.entry; });
    if (known == uses.end())
      uses.push_back(std::move(use));
    else if (use.bytes > known->bytes)
      *known = std::move(use);
  }
  return uses;
}

ArenaUse largestOf(std::vector<ArenaUse> uses) {
  return *std::max_element(
      uses.begin(), uses.end(),
      [](const ArenaUse& a, const ArenaUse& b) { return a.bytes < b.bytes; });
}

/// Upper bound of an arena's size, as a multiple of the bytes that are live at
/// once. Gaps are some percent of them; the rest is a margin.
constexpr double kMostGaps = 2;

/// Returns an upper bound, in bytes, of the arenas of a local program with
/// their gaps.
double mostBytesOf(ModuleOp local) {
  double most = 0;
  for (auto program : local.getOps<rank::ProgramOp>())
    for (auto function : program.getBody().getOps<FuncOp>())
      if (function.isPublic())
        most = std::max(most, busiestBytes(program, function.getName()));
  return kMostGaps * most;
}

}  // namespace

std::optional<std::vector<ArenaUse>> largestArenaByEntry(
    ModuleOp module, const KernelTarget& target) {
  auto uses = allArenas(module, target);
  if (!uses) return std::nullopt;
  return largestByEntry(std::move(*uses));
}

std::optional<std::vector<ArenaUse>> allArenas(ModuleOp module,
                                               const KernelTarget& target) {
  mlir::OwningOpRef<ModuleOp> local = localFormOf(module);
  if (!local) return std::nullopt;
  return usesOf(*local, target);
}

std::optional<ArenaUse> largestArenaOf(ModuleOp module,
                                       const KernelTarget& target) {
  auto uses = largestArenaByEntry(module, target);
  if (!uses) return std::nullopt;
  return largestOf(std::move(*uses));
}

std::optional<double> arenaBytesOf(ModuleOp module, const KernelTarget& target,
                                   double memoryBytes) {
  mlir::OwningOpRef<ModuleOp> local = localFormOf(module);
  if (!local) return std::nullopt;
  // With a schedule, values of several micro-batches are live at once; only the
  // layout knows how many.
  if (local->getOps<ScheduleOp>().empty())
    if (double most = mostBytesOf(*local); most <= memoryBytes) return most;
  auto uses = usesOf(*local, target);
  if (!uses) return std::nullopt;
  return static_cast<double>(largestOf(std::move(*uses)).bytes);
}

}  // namespace sbp
