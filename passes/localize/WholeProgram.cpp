#include "passes/localize/WholeProgram.h"

#include <string>

#include "dialects/nn/EntryNames.h"
#include "llvm/ADT/MapVector.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;
using rank::ProgramOp;

/// Returns the placed type in `whole`, an attribute of `op`. Fails with a
/// diagnostic about `what` if it has none.
FailureOr<RankedTensorType> placedType(Operation* op, const llvm::Twine& what,
                                       Attribute whole) {
  auto attribute = llvm::dyn_cast_if_present<mlir::TypeAttr>(whole);
  auto type = attribute ? llvm::dyn_cast<RankedTensorType>(attribute.getValue())
                        : RankedTensorType();
  if (type && NdSbpAttr::of(type)) return type;
  return op->emitOpError() << "has no '" << rank::kWholeAttrName
                           << "' that gives the placed tensor of which " << what
                           << " is a part";
}

int64_t positionIn(mlir::DictionaryAttr attrs, int64_t place) {
  auto position = attrs
                      ? attrs.getAs<mlir::IntegerAttr>(rank::kPositionAttrName)
                      : mlir::IntegerAttr();
  return position ? position.getInt() : place;
}

mlir::DictionaryAttr orEmpty(Operation* op, mlir::DictionaryAttr attrs) {
  return attrs ? attrs : mlir::DictionaryAttr::get(op->getContext());
}

/// Returns `attrs` without the attribute that concerns only the part.
mlir::DictionaryAttr withoutPosition(mlir::DictionaryAttr attrs) {
  mlir::NamedAttrList list(attrs);
  list.erase(rank::kPositionAttrName);
  return list.getDictionary(attrs.getContext());
}

mlir::InFlightDiagnostic contradicts(ProgramOp program, ProgramOp first) {
  mlir::InFlightDiagnostic diagnostic =
      program.emitOpError()
      << "has other parameters or entries than @" << first.getSymName();
  diagnostic.attachNote(first.getLoc()) << "the other program";
  return diagnostic;
}

class Joiner {
 public:
  explicit Joiner(ModuleOp module)
      : programs_(llvm::to_vector(module.getOps<ProgramOp>())) {}

  FailureOr<WholeProgram> run() {
    for (ProgramOp program : programs_)
      if (failed(addParameters(program)) || failed(addEntries(program)))
        return failure();
    for (const WholeEntry& entry : whole_.entries)
      if (failed(isComplete(entry)) || failed(verifyNames(entry)))
        return failure();
    return std::move(whole_);
  }

 private:
  LogicalResult addParameters(ProgramOp program) {
    for (auto parameter : program.getBody().getOps<nn::ParameterOp>()) {
      FailureOr<RankedTensorType> type = wholeType(parameter);
      if (failed(type)) return failure();
      nn::ParameterOp& known = parameters_[parameter.getSymNameAttr()];
      if (!known) {
        known = parameter;
        whole_.parameters.push_back(parameter);
        continue;
      }
      bool isSame = known->getAttr(rank::kWholeAttrName) ==
                        parameter->getAttr(rank::kWholeAttrName) &&
                    known.getInitializer() == parameter.getInitializer() &&
                    known.getState() == parameter.getState() &&
                    known.getFrozen() == parameter.getFrozen();
      if (!isSame)
        return contradicts(program, known->getParentOfType<ProgramOp>());
    }
    return success();
  }

  LogicalResult addEntries(ProgramOp program) {
    size_t number = 0;
    for (auto function : program.getBody().getOps<FuncOp>()) {
      if (!function.isPublic()) continue;
      if (program == programs_.front())
        whole_.entries.push_back({function, {}, {}});
      if (number >= whole_.entries.size() ||
          whole_.entries[number].function.getName() != function.getName())
        return contradicts(program, programs_.front());
      if (failed(add(function, whole_.entries[number++]))) return failure();
    }
    if (number < whole_.entries.size())
      return contradicts(program, programs_.front());
    return success();
  }

  LogicalResult add(FuncOp function, WholeEntry& entry) {
    int64_t previous = -1;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (failed(add(function, "argument " + llvm::Twine(i), i,
                     function.getArgAttrDict(i), previous, entry.arguments)))
        return failure();
    previous = -1;
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (failed(add(function, "result " + llvm::Twine(i), i,
                     function.getResultAttrDict(i), previous, entry.results)))
        return failure();
    return success();
  }

  LogicalResult add(FuncOp function, const llvm::Twine& what, int64_t place,
                    mlir::DictionaryAttr given, int64_t& previous,
                    SmallVector<WholeTensor>& tensors) {
    mlir::DictionaryAttr attrs = orEmpty(function, given);
    FailureOr<RankedTensorType> type =
        placedType(function, what, attrs.get(rank::kWholeAttrName));
    if (failed(type)) return failure();
    int64_t position = positionIn(attrs, place);
    if (position <= previous || position > kMaxTensors)
      return function.emitOpError()
             << "has at " << what << " the position " << position
             << " of the whole entry, after position " << previous
             << "; positions must ascend";
    previous = position;
    if (position >= static_cast<int64_t>(tensors.size()))
      tensors.resize(position + 1);
    WholeTensor& known = tensors[position];
    WholeTensor here = {*type, withoutPosition(attrs)};
    if (known.type && (known.type != here.type || known.attrs != here.attrs))
      return contradicts(function->getParentOfType<ProgramOp>(),
                         programs_.front());
    known = here;
    return success();
  }

  LogicalResult isComplete(WholeEntry entry) {
    auto check = [&](StringRef what, ArrayRef<WholeTensor> tensors) {
      for (auto [number, tensor] : llvm::enumerate(tensors))
        if (!tensor.type)
          return LogicalResult(entry.function.emitOpError()
                               << "has " << tensors.size() << " " << what
                               << "s, but no program has number " << number);
      return LogicalResult(success());
    };
    if (failed(check("argument", entry.arguments))) return failure();
    return check("result", entry.results);
  }

  static LogicalResult verifyNames(const WholeEntry& entry) {
    const auto attributesOf = [](ArrayRef<WholeTensor> tensors) {
      return llvm::map_to_vector(
          tensors, [](const WholeTensor& tensor) { return tensor.attrs; });
    };
    if (failed(nn::verifyInputNames(entry.function,
                                    attributesOf(entry.arguments))))
      return failure();
    return nn::verifyOutputNames(entry.function, attributesOf(entry.results));
  }

  /// Largest number of arguments or results of an entry. Limits the memory that
  /// a wrong rank.position can take.
  static constexpr int64_t kMaxTensors = 1 << 20;

  SmallVector<ProgramOp> programs_;
  llvm::DenseMap<Attribute, nn::ParameterOp> parameters_;
  WholeProgram whole_;
};

}  // namespace

FailureOr<WholeProgram> WholeProgram::of(ModuleOp module) {
  return Joiner(module).run();
}

SmallVector<int64_t> argumentPositions(FuncOp entry) {
  SmallVector<int64_t> positions;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    positions.push_back(positionIn(entry.getArgAttrDict(i), i));
  return positions;
}

SmallVector<int64_t> resultPositions(FuncOp entry) {
  SmallVector<int64_t> positions;
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    positions.push_back(positionIn(entry.getResultAttrDict(i), i));
  return positions;
}

FailureOr<RankedTensorType> wholeType(nn::ParameterOp parameter) {
  return placedType(parameter, "it", parameter->getAttr(rank::kWholeAttrName));
}

}  // namespace sbp
