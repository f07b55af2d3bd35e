#include "codegen/interpreter/RankGrid.h"

#include "codegen/interpreter/Collectives.h"
#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/RankThreads.h"
#include "codegen/interpreter/Rendezvous.h"
#include "codegen/interpreter/Shards.h"
#include "codegen/interpreter/Transfers.h"

namespace sbp::interpreter {

using mlir::func::FuncOp;

namespace {

RankedTensorType withoutPlacement(RankedTensorType type) {
  return withPlacement(type, nullptr);
}

/// Returns the mesh that the whole type `type` is placed on. Fails with a
/// diagnostic at `op` if there is no such mesh, or it has another number of
/// axes than the placement.
FailureOr<Mesh> meshOf(Operation* op, RankedTensorType type) {
  NdSbpAttr placement = NdSbpAttr::of(type);
  FailureOr<Mesh> mesh = lookupMesh(op, placement.getMesh());
  if (failed(mesh)) return failure();
  if (placement.getComponents().size() == mesh->axes.size()) return mesh;
  return op->emitOpError() << "has " << placement << " on a mesh of "
                           << mesh->axes.size() << " axes";
}

/// Calls `give` with each rank that has a part of a tensor of type `type`, and
/// with its part of `whole`.
LogicalResult cutFor(
    Operation* op, const Tensor& whole, RankedTensorType type,
    const CountedRandom& random,
    llvm::function_ref<void(int64_t rank, const Tensor& part)> give) {
  FailureOr<Mesh> mesh = meshOf(op, type);
  if (failed(mesh)) return failure();
  std::vector<Tensor> parts =
      cut(whole, NdSbpAttr::of(type).getComponents(), *mesh, random);
  for (auto [place, part] : llvm::enumerate(parts))
    give(mesh->rankAt(static_cast<int64_t>(place)), part);
  return success();
}

/// Returns the whole tensor of type `type`, assembled from the parts of the
/// ranks that have one; `partOf` returns a rank's part.
FailureOr<Tensor> assembledFrom(
    Operation* op, RankedTensorType type,
    llvm::function_ref<Tensor(int64_t rank)> partOf,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  FailureOr<Mesh> mesh = meshOf(op, type);
  if (failed(mesh)) return failure();
  std::vector<Tensor> parts;
  for (int64_t place = 0; place < mesh->numRanks(); ++place)
    parts.push_back(partOf(mesh->rankAt(place)));
  return assembled(parts, type, NdSbpAttr::of(type).getComponents(), *mesh,
                   emitError);
}

SmallVector<mlir::DictionaryAttr> attrsOf(ArrayRef<WholeTensor> tensors) {
  return llvm::map_to_vector(
      tensors, [](const WholeTensor& tensor) { return tensor.attrs; });
}

}  // namespace

FailureOr<RankGrid> RankGrid::create(ModuleOp module, Evaluators evaluators) {
  auto all = llvm::to_vector(module.getOps<rank::ProgramOp>());
  if (all.empty()) return module.emitError() << "there is no rank.program here";
  FailureOr<Mesh> mesh = lookupMesh(all.front(), all.front().getMeshAttr());
  if (failed(mesh)) return failure();

  std::vector<rank::ProgramOp> programs(mesh->numRanks());
  for (rank::ProgramOp program : all) {
    if (program.getMesh() != all.front().getMesh())
      return program.emitOpError()
             << "is on " << program.getMeshAttr() << ", while another is on "
             << all.front().getMeshAttr();
    for (int64_t rank : program.getRanks()) programs[rank] = program;
  }
  for (auto [rank, program] : llvm::enumerate(programs))
    if (!program)
      return module.emitError() << "no rank.program is for rank " << rank
                                << " of " << mesh->numRanks();
  FailureOr<std::optional<PipelineOrder>> pipeline =
      PipelineOrder::fromModule(module);
  if (failed(pipeline)) return failure();
  // The results of a program do not depend on which steps overlap.
  if (*pipeline) *pipeline = (*pipeline)->forOneStep();
  return RankGrid(module, std::move(evaluators), std::move(programs),
                  std::move(*pipeline));
}

FailureOr<const WholeProgram*> RankGrid::whole() {
  if (!whole_) {
    FailureOr<WholeProgram> found = WholeProgram::of(module_);
    if (failed(found)) return failure();
    whole_ = std::move(*found);
  }
  return &*whole_;
}

FailureOr<std::vector<std::string>> RankGrid::entryNames() {
  FailureOr<const WholeProgram*> all = whole();
  if (failed(all)) return failure();
  std::vector<std::string> names;
  for (const WholeEntry& entry : (*all)->entries) {
    FuncOp function = entry.function;
    names.push_back(function.getName().str());
  }
  return names;
}

FailureOr<const WholeEntry*> RankGrid::entryNamed(StringRef name) {
  FailureOr<const WholeProgram*> all = whole();
  if (failed(all)) return failure();
  for (const WholeEntry& entry : (*all)->entries)
    if (FuncOp function = entry.function; function.getName() == name)
      return &entry;
  return programs_.front().emitOpError() << "has no function '" << name << "'";
}

FailureOr<FuncOp> RankGrid::wholeEntry(StringRef name) {
  FailureOr<const WholeEntry*> entry = entryNamed(name);
  if (failed(entry)) return failure();
  auto typesOf = [](ArrayRef<WholeTensor> tensors) {
    return llvm::map_to_vector(tensors, [](const WholeTensor& tensor) -> Type {
      return withoutPlacement(tensor.type);
    });
  };
  FuncOp declared =
      FuncOp::create(module_.getLoc(), name,
                     mlir::FunctionType::get(module_.getContext(),
                                             typesOf((*entry)->arguments),
                                             typesOf((*entry)->results)));
  declared.setPrivate();
  declared.setAllArgAttrs(attrsOf((*entry)->arguments));
  declared.setAllResultAttrs(attrsOf((*entry)->results));
  declared_.emplace_back(declared);
  return declared;
}

// ---- Parameters -------------------------------------------------------------

LogicalResult RankGrid::initializeParameters(uint64_t seed) {
  FailureOr<const WholeProgram*> all = whole();
  if (failed(all)) return failure();
  for (nn::ParameterOp parameter : (*all)->parameters) {
    std::string name = parameter.getSymName().str();
    RankedTensorType type = *wholeType(parameter);
    auto give = [&](int64_t rank, const Tensor& part) {
      parameters_[rank][name] = part;
    };
    if (failed(cutFor(parameter, initialValue(parameter, type, seed), type,
                      CountedRandom(seed, "terms"), give)))
      return failure();
  }
  return success();
}

FailureOr<Parameters> RankGrid::wholeParameters() {
  FailureOr<const WholeProgram*> all = whole();
  if (failed(all)) return failure();
  Parameters values;
  for (nn::ParameterOp parameter : (*all)->parameters) {
    std::string name = parameter.getSymName().str();
    FailureOr<Tensor> value = assembledFrom(
        parameter, *wholeType(parameter),
        [&](int64_t rank) { return parameters_[rank][name]; },
        [&] { return parameter.emitOpError(); });
    if (failed(value)) return failure();
    values[name] = *value;
  }
  return values;
}

// ---- Running ----------------------------------------------------------------

FailureOr<std::vector<Results>> RankGrid::run(
    StringRef entry, const std::vector<SmallVector<Tensor>>& arguments) {
  Rendezvous rendezvous(numRanks());
  std::vector<Results> results(numRanks());
  auto body = [&](int64_t rank) -> LogicalResult {
    Evaluators evaluators = evaluators_;
    addCollectiveEvaluators(evaluators, rank, rendezvous);
    Interpreter interpreter(programs_[rank], evaluators, parameters_[rank],
                            pipeline_ ? &*pipeline_ : nullptr);
    addTransferEvaluators(evaluators, rank, interpreter, rendezvous);
    FailureOr<Results> mine = interpreter.run(entry, arguments[rank]);
    if (failed(mine)) {
      rendezvous.fail();
      return failure();
    }
    results[rank] = *mine;
    rendezvous.leave();
    return success();
  };
  if (failed(runRankThreads(module_.getContext(), numRanks(), body)))
    return failure();
  return results;
}

FailureOr<Results> RankGrid::runWhole(StringRef name,
                                      ArrayRef<Tensor> arguments,
                                      uint64_t seed) {
  FailureOr<const WholeEntry*> found = entryNamed(name);
  if (failed(found)) return failure();
  const WholeEntry& entry = **found;
  FuncOp function = entry.function;
  if (arguments.size() != entry.arguments.size())
    return function->emitOpError()
           << "takes " << entry.arguments.size() << " arguments but is given "
           << arguments.size();

  // Each rank gets its parts of the arguments, in their order.
  std::vector<SmallVector<Tensor>> locals(numRanks());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    std::string what = "argument " + std::to_string(index);
    RankedTensorType type = entry.arguments[index].type;
    if (withoutPlacement(type) != argument.type())
      return function->emitOpError() << what << " is a part of " << type
                                     << " but is given as " << argument.type();
    auto give = [&](int64_t rank, const Tensor& part) {
      locals[rank].push_back(part);
    };
    if (failed(
            cutFor(function, argument, type, CountedRandom(seed, what), give)))
      return failure();
  }

  FailureOr<std::vector<Results>> results = run(name, locals);
  if (failed(results) || failed(wholeParameters())) return failure();
  Results joined;
  for (auto [index, result] : llvm::enumerate(entry.results)) {
    auto partOf = [&, position = static_cast<int64_t>(index)](int64_t rank) {
      SmallVector<int64_t> positions =
          resultPositions(programs_[rank].lookupSymbol<FuncOp>(name));
      return (
          *results)[rank][llvm::find(positions, position) - positions.begin()];
    };
    FailureOr<Tensor> value =
        assembledFrom(function, result.type, partOf, [&, number = index] {
          return function->emitOpError() << "result " << number << ": ";
        });
    if (failed(value)) return failure();
    joined.push_back(*value);
  }
  return joined;
}

}  // namespace sbp::interpreter
