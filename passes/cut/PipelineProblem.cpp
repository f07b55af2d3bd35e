#include "passes/cut/PipelineProblem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "dialects/nn/Nn.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/cut/StageGroups.h"
#include "passes/cut/UnitPrices.h"
#include "passes/search/pipeline/SearchJointPlan.h"

namespace sbp {

using mlir::success;
using mlir::func::FuncOp;

namespace {

/// Largest number of micro-batches that is tried. More micro-batches make the
/// bubble smaller, but the kernels less efficient.
constexpr int64_t kMostMicroBatches = 512;

/// Least part of the time in which groups work in a case that is tried, if the
/// stages are equal. A smaller number takes longer, and finds pipelines where
/// few micro-batches fit.
constexpr double kLeastUse = 1.0 / 3;

/// Largest number of options of a kind of unit. More of them fit plans closer
/// to the memory, and take longer to price.
constexpr size_t kMostOptions = 5;

/// Largest number of shapes of groups that are tried besides the outermost
/// ones. Groups of such a shape have more axes, which take longer to price.
constexpr size_t kMostInnerShapes = 4;

/// Largest number of stages per group of the families below.
constexpr int64_t kMostChunks = 2;

/// Families that are tried, in the order in which equal ones are preferred.
/// Families that use weights of an earlier step are left out: they change what
/// the model learns.
constexpr std::pair<const char*, int64_t> kFamilies[] = {
    {"1f1b", 1},
    {"gpipe", 1},
    {"eager-1f1b", 1},
    {"zb-h1", 1},
    {"zb-h2", 1},
    {"zb-v", kMostChunks},
    {"interleaved", kMostChunks}};

/// Returns the part of the time in which groups work, if stages are equal.
double useOf(int64_t groups, int64_t microBatches) {
  const auto work = static_cast<double>(microBatches * kMostChunks);
  return work / (work + static_cast<double>(groups - 1));
}

/// Returns the bytes of `tensors`, without those that the unit before `unit`
/// keeps too.
double ownBytes(const std::vector<KeptTensor>& tensors, int64_t unit) {
  double bytes = 0;
  for (const KeptTensor& tensor : tensors)
    if (tensor.keptBefore < 0 || tensor.keptBefore != unit - 1)
      bytes += tensor.bytes;
  return bytes;
}

/// Facts about the backward of the units of a kind.
struct KindFacts {
  bool hasInputGradient = false;  // some operand from another unit has one
  bool trains = false;            // some parameter has one
  bool computesAgain = false;     // the unit is a layer that does not keep all
};

std::vector<KindFacts> factsOf(const EntryUnits& units) {
  std::vector<KindFacts> facts(units.firstOfKinds().size());
  for (const EntryUnit& unit : units.units()) {
    KindFacts& ofKind = facts[unit.kind];
    if (auto call = llvm::dyn_cast<mlir::func::CallOp>(unit.op)) {
      auto layer = mlir::SymbolTable::lookupNearestSymbolFrom<FuncOp>(
          call, call.getCalleeAttr());
      ofKind.computesAgain |= layer && keptBy(layer) != Kept::All;
    }
    for (Value operand : unit.operands) {
      ofKind.hasInputGradient |= units.hasGradient(operand);
      if (auto parameter = parameterOf(operand))
        ofKind.trains |= units.parameters().at(parameter.getValue()).isTrained;
    }
  }
  return facts;
}

/// Returns an option for each kind: how a unit runs that has one of `prices`.
std::vector<search::UnitOption> optionsOf(
    const EntryUnits& units, const std::vector<UnitKindPrice>& prices) {
  const std::vector<KindFacts> facts = factsOf(units);
  std::vector<search::UnitOption> options(prices.size());
  for (size_t kind = 0; kind < prices.size(); ++kind) {
    search::UnitOption& option = options[kind];
    const UnitTasks& tasks = prices[kind].tasks;
    option.forward = tasks.forward;
    // Both gradients of a product take about the same time.
    const double inputShare = !facts[kind].trains            ? 1
                              : facts[kind].hasInputGradient ? 0.5
                                                             : 0;
    option.input = tasks.backward * inputShare;
    option.weight = tasks.backward - option.input;
    option.once = tasks.once;
    option.transient = prices[kind].transientBytes;
    option.held = option.weights = option.stash =
        std::numeric_limits<double>::infinity();
  }
  const std::vector<UnitPrice> all = pricesOfUnits(units, prices);
  for (int64_t unit = 0; unit < units.numUnits(); ++unit) {
    search::UnitOption& option = options[units.units()[unit].kind];
    const UnitPrice& price = all[unit];
    option.held = std::min(option.held, ownBytes(price.persistent, unit));
    option.weights = std::min(option.weights, ownBytes(price.weights, unit));
    option.stash = std::min(option.stash, ownBytes(price.activations, unit));
  }
  for (auto [option, ofKind] : llvm::zip(options, facts)) {
    option.residue = option.stash / 2;
    // What a backward of inputs computes again, that of weights needs, too.
    if (ofKind.computesAgain)
      option.residue = std::max(option.residue, option.transient);
  }
  return options;
}

/// Returns the seconds that a tensor between two groups takes, in one
/// direction and for one micro-batch: the median over all cuts.
double messageSeconds(const std::vector<std::vector<double>>& transfers,
                      int64_t microBatches) {
  std::vector<double> all;
  for (const std::vector<double>& ofStage : transfers)
    all.insert(all.end(), ofStage.begin() + 1, ofStage.end());
  if (all.empty()) return 0;
  auto middle = all.begin() + static_cast<int64_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle / (2 * static_cast<double>(microBatches));
}

/// Returns a guess of the best time of a case of which `known` is known: the
/// bound, which fits a pipeline that is never idle, and the time to fill and
/// drain it.
double guessOf(const search::CaseBound& known,
               const search::JointCase& ofCase) {
  if (std::isfinite(known.best)) return known.best;
  return known.bound *
         (1 + static_cast<double>(ofCase.workers - 1) /
                  static_cast<double>(ofCase.microBatches * ofCase.chunks));
}

}  // namespace

PipelineNumbers pipelineNumbers(const Mesh& mesh, FuncOp entry,
                                int64_t numUnits) {
  PipelineNumbers numbers;
  const int64_t most = std::min(mesh.numRanks(), numUnits);
  numbers.groups = outermostShapes(mesh, most);
  numbers.innerGroups = innerShapes(mesh, most);
  if (numbers.innerGroups.size() > kMostInnerShapes)
    numbers.innerGroups.resize(kMostInnerShapes);
  std::set<int64_t> wanted;
  for (int64_t count = 1; count <= kMostMicroBatches; count *= 2)
    wanted.insert(count);
  for (const GroupShape& groups : numbers.groups)
    for (int64_t count = groups.numGroups(); count <= kMostMicroBatches;
         count *= 2)
      wanted.insert(count);
  for (int64_t count : wanted)
    if (llvm::any_of(entry.getArgumentTypes(), [&](Type type) {
          auto tensor = llvm::dyn_cast<RankedTensorType>(type);
          return tensor && tensor.getRank() > 0 &&
                 tensor.getDimSize(0) % count == 0;
        }))
      numbers.microBatches.push_back(count);
  return numbers;
}

PipelineProblem::PipelineProblem(const PricedModel& model, double memory,
                                 bool isShort)
    : model_(model), isShort_(isShort) {
  search::JointProblem& problem = priced_.problem;
  problem.memory = std::min(memory, std::numeric_limits<double>::max());
  for (const EntryUnit& unit : model.units.units())
    problem.kinds.push_back(unit.kind);
  for (const auto& [name, chunksOfFamily] : kFamilies)
    problem.families.emplace_back().name = name;
  priced_.kept = model.kept;
}

void PipelineProblem::addCases(const CaseNumbers& numbers,
                               const search::SearchRun& run) {
  if (useOf(numbers.groups.numGroups(), numbers.microBatches) < kLeastUse)
    return;
  if (!tried_.insert(numbers).second) return;
  // A number of micro-batches that the model does not allow is no error.
  mlir::ScopedDiagnosticHandler silently(
      model_.module->getContext(), [](mlir::Diagnostic&) { return success(); });
  FailureOr<search::JointCase> priced =
      priceCase(numbers, isShort_ ? 2 : 1, run);
  if (failed(priced)) return;
  if (!isShort_ && areLimited(withChunks(*priced))) {
    isShort_ = true;
    priced = priceCase(numbers, 2, run);
    if (failed(priced)) return;
  }
  for (search::JointCase& ofCase : withChunks(*priced)) {
    priced_.problem.cases.push_back(std::move(ofCase));
    priced_.groups.push_back(countsOf(model_.target.mesh, numbers.groups));
    numbers_.push_back(numbers);
  }
}

std::vector<search::JointCase> PipelineProblem::withChunks(
    const search::JointCase& ofCase) const {
  std::set<int64_t> chunks;
  for (const auto& [name, chunksOfFamily] : kFamilies)
    chunks.insert(chunksOfFamily);
  std::vector<search::JointCase> cases;
  for (int64_t count : chunks) {
    if (ofCase.workers * count > model_.units.numUnits()) continue;
    if (ofCase.workers == 1 && count > 1) continue;
    cases.push_back(ofCase);
    cases.back().chunks = count;
  }
  return cases;
}

std::vector<search::JointCase> PipelineProblem::casesOf(
    const CaseNumbers& numbers) const {
  std::vector<search::JointCase> cases;
  for (size_t index = 0; index < numbers_.size(); ++index)
    if (numbers_[index] == numbers) cases.push_back(get().cases[index]);
  return cases;
}

bool PipelineProblem::hasLimit() const {
  return get().memory < std::numeric_limits<double>::max();
}

bool PipelineProblem::areLimited(std::vector<search::JointCase> cases) const {
  if (!hasLimit()) return false;
  search::JointProblem alone = get().withCases(std::move(cases));
  alone.memory = std::numeric_limits<double>::max();
  const search::JointAnswer any = search::searchJointPlan(alone);
  if (!any.plan) return false;
  alone.memory = kReserve * get().memory;
  return !alone.verify(*any.plan).ok();
}

bool PipelineProblem::isLimited(const CaseNumbers& numbers) const {
  return areLimited(casesOf(numbers));
}

double PipelineProblem::secondsOfWork(const CaseNumbers& numbers) const {
  const std::vector<search::JointCase> cases = casesOf(numbers);
  if (cases.empty()) return std::numeric_limits<double>::infinity();
  const search::JointCase& ofCase = cases.back();
  const auto microBatches = static_cast<double>(ofCase.microBatches);
  double work = 0;
  for (int64_t kind : get().kinds) {
    double least = std::numeric_limits<double>::infinity();
    for (const search::UnitOption& option : ofCase.options[kind])
      least = std::min(
          least, option.once + microBatches * (option.forward + option.input +
                                               option.weight));
    work += least;
  }
  return work / static_cast<double>(ofCase.workers);
}

std::vector<CaseNumbers> PipelineProblem::numbersInOrder() const {
  const search::JointAnswer answer = search::searchJointPlan(get());
  std::map<CaseNumbers, double> guesses;
  for (const search::CaseBound& known : answer.cases) {
    const search::JointCase& ofCase = get().cases[known.ofCase];
    const double guess = guessOf(known, ofCase);
    auto [least, isNew] = guesses.try_emplace(numbersOf(known.ofCase), guess);
    least->second = std::min(least->second, guess);
  }
  std::vector<std::pair<double, CaseNumbers>> order;
  for (const auto& [numbers, guess] : guesses)
    if (std::isfinite(guess)) order.emplace_back(guess, numbers);
  llvm::sort(order);
  std::vector<CaseNumbers> ordered;
  for (auto& [guess, numbers] : order) ordered.push_back(std::move(numbers));
  return ordered;
}

StageGroupList PipelineProblem::listOf(const GroupShape& groups) const {
  StageGroupList list;
  list.meshes = divideIntoGroups(model_.target.mesh, groups);
  MachineOp machine = lookupMachine(model_.module, model_.target.name);
  list.machine =
      *lookupMesh(model_.module, mlir::FlatSymbolRefAttr::get(machine));
  for (int64_t group = 0; group < groups.numGroups(); ++group) {
    list.names.push_back(mlir::FlatSymbolRefAttr::get(
        model_.module->getContext(), "group" + std::to_string(group)));
    list.ofStage.push_back(group);
  }
  return list;
}

FailureOr<search::JointCase> PipelineProblem::priceCase(
    const CaseNumbers& numbers, size_t mostOptions,
    const search::SearchRun& run) const {
  const auto& [groups, microBatches] = numbers;
  FailureOr<UnitKindPricing> pricing = UnitKindPricing::create(
      model_.module, model_.entry, model_.units,
      divideIntoGroups(model_.target.mesh, groups).front(),
      lookupMachine(model_.module, model_.target.name), microBatches,
      model_.reduceIn);
  if (failed(pricing)) return failure();
  // The mean of the stages of 1F1B.
  const int64_t inFlight = std::min(microBatches, (groups.numGroups() + 1) / 2);
  FailureOr<std::vector<std::vector<UnitKindPrice>>> prices =
      pricing->priceTradeOffs(model_.device, inFlight, mostOptions, run);
  if (failed(prices)) return failure();
  search::JointCase result;
  result.shape = groups.str();
  result.workers = groups.numGroups();
  result.microBatches = microBatches;
  result.options.resize(prices->size());
  for (size_t number = 0; number < mostOptions; ++number) {
    // A kind with fewer plans stands for itself in the prices of the others.
    std::vector<UnitKindPrice> plans;
    for (const std::vector<UnitKindPrice>& ofKind : *prices)
      plans.push_back(ofKind[std::min(number, ofKind.size() - 1)]);
    const std::vector<search::UnitOption> options =
        optionsOf(model_.units, plans);
    for (auto [ofKind, option, all] :
         llvm::zip(result.options, options, *prices))
      if (number < all.size()) ofKind.push_back(option);
    if (number > 0) continue;
    const double delay = messageSeconds(
        transfersOf(model_.units, plans, listOf(groups), microBatches),
        microBatches);
    result.move = {{0}};
    result.cut = {{{/*busy=*/0, delay}}};
  }
  return result;
}

LogicalResult PipelineProblem::addOptions(const CaseNumbers& numbers,
                                          const search::SearchRun& run) {
  FailureOr<search::JointCase> priced = priceCase(numbers, kMostOptions, run);
  if (failed(priced)) return failure();
  for (auto [ofCase, numbersOfCase] :
       llvm::zip(priced_.problem.cases, numbers_))
    if (numbersOfCase == numbers) ofCase.options = priced->options;
  return success();
}

}  // namespace sbp
