#include "codegen/interpreter/tool/Inputs.h"

#include <algorithm>
#include <map>
#include <vector>

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/RandomTensor.h"
#include "codegen/plan/ElementTypes.h"
#include "dialects/nn/EntryNames.h"
#include "dialects/nn/Nn.h"
#include "llvm/ADT/StringExtras.h"
#include "runtime/data/Npy.h"
#include "runtime/data/SampleLayout.h"
#include "runtime/math/BFloat16.h"
#include "runtime/tensor/StoredType.h"

namespace sbp::interpreter {
namespace {

template <typename Stored, typename Element>
Tensor tensorOf(RankedTensorType type, const std::byte* bytes) {
  const auto* stored = reinterpret_cast<const Stored*>(bytes);
  return Tensor(type,
                std::vector<Element>(stored, stored + type.getNumElements()));
}

/// Returns the elements of a tensor of shape `shape` in row-major order.
/// `elements` has them in Fortran order. An element has `width` bytes.
std::vector<std::byte> rowMajor(const std::vector<std::byte>& elements,
                                int64_t width,
                                const std::vector<int64_t>& shape) {
  const data::SampleLayout layout(shape, /*isFortranOrder=*/true);
  if (layout.isDense()) return elements;
  std::vector<std::byte> ordered(elements.size());
  std::byte* sample = ordered.data();
  for (int64_t number = 0; number < layout.numSamples(); ++number) {
    layout.forEachRun(number, layout.whole(), [&](const data::ElementRun& run) {
      for (int64_t i = 0; i < run.count; ++i)
        std::copy_n(elements.data() + (run.first + i * run.stride) * width,
                    width, sample + (run.inBox + i) * width);
    });
    sample += elements.size() / layout.numSamples();
  }
  return ordered;
}

/// Reads the file `path` as the input `name` of type `type`. Element types are
/// converted as compiled programs do (runtime/tensor/StoredType.h).
FailureOr<Tensor> readNpy(mlir::func::FuncOp function, const std::string& name,
                          const std::string& path, RankedTensorType type) {
  auto file = data::NpyFile::open(path);
  if (!file.ok())
    return function.emitOpError() << "has an input that cannot be read: "
                                  << std::string(file.status().message());
  const FailureOr<plan::ElementType> wanted = planElementType(function, type);
  if (failed(wanted)) return failure();
  const bool fits = type.getShape() == ArrayRef(file->shape()) &&
                    tensor::canBecome(file->type(), *wanted);
  if (!fits)
    return function.emitOpError()
           << "has the input '" << name << "' of type " << type << ", but "
           << path << " holds a "
           << tensor::toString(file->type(), file->shape());
  const int64_t count = type.getNumElements();
  std::vector<std::byte> converted(count * plan::byteWidth(*wanted));
  tensor::convert({file->type(), file->elements(), count}, *wanted,
                  converted.data());
  if (absl::Status whole = file->checkWhole(); !whole.ok())
    return function.emitOpError() << "has an input that cannot be read: "
                                  << std::string(whole.message());
  if (file->isFortranOrder())
    converted = rowMajor(converted, plan::byteWidth(*wanted), file->shape());
  switch (*wanted) {
    case plan::ElementType::kF32:
      return tensorOf<float, double>(type, converted.data());
    case plan::ElementType::kBF16:
      return tensorOf<math::BFloat16, double>(type, converted.data());
    case plan::ElementType::kI32:
      return tensorOf<int32_t, int64_t>(type, converted.data());
    case plan::ElementType::kI64:
      return tensorOf<int64_t, int64_t>(type, converted.data());
    case plan::ElementType::kI1:
      break;
  }
  return tensorOf<uint8_t, int64_t>(type, converted.data());
}

/// The value that the options give an input: the text after "name=".
struct GivenValue {
  bool isFile = false;
  std::string text;
};

/// Returns the length of the name in NAME=VALUE. A name may contain '=' itself:
/// the longest input name that fits counts.
size_t endOfName(mlir::func::FuncOp function, StringRef text) {
  size_t end = text.find('=');
  for (size_t i = 0; i < function.getNumArguments(); ++i) {
    const std::string name = nn::inputName(function.getArgAttrDict(i), i);
    if (text.starts_with(name + "=") && end < name.size()) end = name.size();
  }
  return std::min(end, text.size());
}

/// Returns the given values by name. Fails on a text without '=', and on a name
/// that is given twice.
FailureOr<std::map<std::string, GivenValue>> givenByName(
    mlir::func::FuncOp function, const InputOptions& options) {
  std::map<std::string, GivenValue> given;
  auto add = [&](const std::string& text, bool isFile) -> LogicalResult {
    const size_t end = endOfName(function, text);
    const StringRef name = StringRef(text).take_front(end);
    const StringRef value =
        StringRef(text).drop_front(end).drop_front(end < text.size() ? 1 : 0);
    if (name.empty() || value.empty())
      return function.emitOpError()
             << "is given '" << text << "', which is not NAME=VALUE";
    bool isNew =
        given.try_emplace(name.str(), GivenValue{isFile, value.str()}).second;
    if (!isNew)
      return function.emitOpError() << "is given '" << name << "' twice";
    return success();
  };
  for (const std::string& text : options.files)
    if (failed(add(text, /*isFile=*/true))) return failure();
  for (const std::string& text : options.fills)
    if (failed(add(text, /*isFile=*/false))) return failure();
  return given;
}

/// Fails with a diagnostic if an element of `input`, argument `index`, is out
/// of the range that the entry takes (`nn.below`).
LogicalResult checkBound(mlir::func::FuncOp function, size_t index,
                         const Tensor& input) {
  auto below =
      function.getArgAttrOfType<mlir::IntegerAttr>(index, nn::kBelowAttrName);
  if (!below) return success();
  for (int64_t element : input.integers())
    if (element < 0 || element >= below.getInt())
      return function.emitOpError()
             << "is given " << element << " in '"
             << nn::inputName(function.getArgAttrDict(index), index)
             << "', whose elements are from 0 to " << below.getInt() - 1;
  return success();
}

}  // namespace

FailureOr<std::vector<Tensor>> readInputs(mlir::func::FuncOp function,
                                          ArrayRef<RankedTensorType> types,
                                          const InputOptions& options) {
  auto given = givenByName(function, options);
  if (failed(given)) return failure();

  std::vector<Tensor> inputs;
  for (auto [index, type] : llvm::enumerate(types)) {
    const std::string name =
        nn::inputName(function.getArgAttrDict(index), index);
    auto found = given->find(name);
    if (found == given->end()) {
      if (!options.areOthersRandom)
        return function.emitOpError()
               << "needs a value for its input '" << name << "', " << type;
      inputs.push_back(randomTensor(type, CountedRandom(options.seed, name),
                                    options.integerBound));
      continue;
    }
    double number = 0;
    if (found->second.isFile) {
      FailureOr<Tensor> tensor =
          readNpy(function, name, found->second.text, type);
      if (failed(tensor)) return failure();
      inputs.push_back(*tensor);
    } else if (!llvm::to_float(found->second.text, number)) {
      return function.emitOpError()
             << "is given '" << found->second.text << "' for '" << name
             << "', which is no number";
    } else {
      inputs.push_back(Tensor::splat(type, number));
    }
    given->erase(found);
  }
  for (auto [index, input] : llvm::enumerate(inputs))
    if (failed(checkBound(function, index, input))) return failure();
  if (!given->empty())
    return function.emitOpError()
           << "has no input '" << given->begin()->first << "'";
  return inputs;
}

}  // namespace sbp::interpreter
