#include "codegen/interpreter/RankGrid.h"

#include "codegen/interpreter/Collectives.h"
#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/RankThreads.h"
#include "codegen/interpreter/Rendezvous.h"
#include "codegen/interpreter/Shards.h"

namespace sbp::interpreter {
namespace {

/// The placed type in an attribute `rank.whole` of `op`, which is there for
/// `what`. Fails with a diagnostic when there is none.
FailureOr<RankedTensorType> wholeType(Operation* op, Attribute attribute,
                                      const llvm::Twine& what,
                                      const Mesh& mesh) {
  auto typeAttr = llvm::dyn_cast_if_present<mlir::TypeAttr>(attribute);
  auto type = typeAttr ? llvm::dyn_cast<RankedTensorType>(typeAttr.getValue())
                       : RankedTensorType();
  NdSbpAttr placement = type ? NdSbpAttr::of(type) : NdSbpAttr();
  if (!placement)
    return op->emitOpError()
           << "does not say by '" << rank::kWholeAttrName
           << "' what placed tensor " << what << " is a part of";
  if (placement.getComponents().size() != mesh.axes.size())
    return op->emitOpError() << "has " << placement << " for " << what
                             << " on a mesh of " << mesh.axes.size() << " axes";
  return type;
}

ArrayRef<Component> componentsOf(RankedTensorType type) {
  return NdSbpAttr::of(type).getComponents();
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
  return RankGrid(module, std::move(*mesh), std::move(evaluators),
                  std::move(programs));
}

FailureOr<mlir::func::FuncOp> RankGrid::entryNamed(StringRef entry) {
  auto function = programs_.front().lookupSymbol<mlir::func::FuncOp>(entry);
  if (function) return function;
  return programs_.front().emitOpError() << "has no function '" << entry << "'";
}

// ---- Parameters -------------------------------------------------------------

LogicalResult RankGrid::initializeParameters(uint64_t seed) {
  for (auto parameter : programs_.front().getOps<nn::ParameterOp>()) {
    std::string name = parameter.getSymName().str();
    auto type = wholeType(parameter, parameter->getAttr(rank::kWholeAttrName),
                          "it", mesh_);
    if (failed(type)) return failure();
    std::vector<Tensor> locals =
        cut(initialValue(parameter, *type, seed), componentsOf(*type), mesh_,
            CountedRandom(seed, "terms"));
    for (auto [rank, local] : llvm::enumerate(locals))
      parameters_[rank][name] = local;
  }
  return success();
}

FailureOr<Parameters> RankGrid::wholeParameters() {
  Parameters whole;
  for (auto parameter : programs_.front().getOps<nn::ParameterOp>()) {
    std::string name = parameter.getSymName().str();
    auto type = wholeType(parameter, parameter->getAttr(rank::kWholeAttrName),
                          "it", mesh_);
    if (failed(type)) return failure();
    std::vector<Tensor> locals;
    for (Parameters& parameters : parameters_)
      locals.push_back(parameters[name]);
    FailureOr<Tensor> value =
        assembled(locals, *type, componentsOf(*type), mesh_,
                  [&] { return parameter.emitOpError(); });
    if (failed(value)) return failure();
    whole[name] = *value;
  }
  return whole;
}

// ---- Running ----------------------------------------------------------------

FailureOr<std::vector<Results>> RankGrid::run(
    StringRef entry, const std::vector<SmallVector<Tensor>>& arguments) {
  Rendezvous rendezvous(numRanks());
  std::vector<Results> results(numRanks());
  auto body = [&](int64_t rank) -> LogicalResult {
    Evaluators evaluators = evaluators_;
    addCollectiveEvaluators(evaluators, mesh_, rank, rendezvous);
    Interpreter interpreter(programs_[rank], evaluators, parameters_[rank]);
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

FailureOr<Results> RankGrid::runWhole(StringRef entry,
                                      ArrayRef<Tensor> arguments,
                                      uint64_t seed) {
  FailureOr<mlir::func::FuncOp> function = entryNamed(entry);
  if (failed(function)) return failure();
  if (arguments.size() != function->getNumArguments())
    return function->emitOpError()
           << "takes " << function->getNumArguments()
           << " arguments but is given " << arguments.size();

  std::vector<SmallVector<Tensor>> locals(numRanks());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    std::string what = "argument " + std::to_string(index);
    auto type =
        wholeType(*function, function->getArgAttr(index, rank::kWholeAttrName),
                  what, mesh_);
    if (failed(type)) return failure();
    if (withPlacement(*type, nullptr) != argument.type())
      return function->emitOpError() << what << " is a part of " << *type
                                     << " but is given as " << argument.type();
    std::vector<Tensor> parts =
        cut(argument, componentsOf(*type), mesh_, CountedRandom(seed, what));
    for (auto [rank, part] : llvm::enumerate(parts))
      locals[rank].push_back(part);
  }

  FailureOr<std::vector<Results>> results = run(entry, locals);
  if (failed(results)) return failure();
  Results whole;
  for (size_t index = 0; index < function->getNumResults(); ++index) {
    std::string what = "result " + std::to_string(index);
    auto type = wholeType(*function,
                          function->getResultAttr(index, rank::kWholeAttrName),
                          what, mesh_);
    if (failed(type)) return failure();
    std::vector<Tensor> parts;
    for (const Results& ofRank : *results) parts.push_back(ofRank[index]);
    FailureOr<Tensor> value =
        assembled(parts, *type, componentsOf(*type), mesh_,
                  [&] { return function->emitOpError() << what << ": "; });
    if (failed(value)) return failure();
    whole.push_back(*value);
  }
  return whole;
}

}  // namespace sbp::interpreter
