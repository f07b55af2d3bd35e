#include "codegen/check/SmallOps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/check/DrawTrial.h"
#include "codegen/check/Draws.h"
#include "codegen/check/OpTrial.h"
#include "codegen/check/OptionalAttributes.h"
#include "dialects/sbp/DistributedOp.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace sbp::check {
namespace {

/// Number of trials: of shapes for a given op, and of ops for a given name.
constexpr int64_t kTrialsLike = 400;
constexpr int64_t kTrialsNamed = 20000;
/// Largest number of elements of a small op, and of an op that is run at its
/// own shapes.
constexpr int64_t kMostSmall = 1 << 12;
constexpr int64_t kMostAsGiven = 1 << 20;

RankedTensorType tensorType(Type type) {
  return llvm::cast<RankedTensorType>(type);
}

/// Returns the type of `type` without placement; bf16, which CPU kernels do not
/// take, becomes f32.
RankedTensorType plainType(Type type) {
  RankedTensorType tensor = tensorType(type);
  Type element = tensor.getElementType();
  if (element.isBF16()) element = mlir::Float32Type::get(type.getContext());
  return RankedTensorType::get(tensor.getShape(), element);
}

/// The dimensions of an op in groups. The extents of a group change together.
class Extents {
 public:
  /// Dimensions that one loop runs over change together; so do dimensions of
  /// equal extent, if there is no loop over them or `byLoops` is false.
  Extents(Operation* op, bool byLoops) {
    LoopNest nest;
    if (byLoops) nest = llvm::cast<DistributedOpInterface>(op).getLoopNest();
    const auto add = [&](Type type, ArrayRef<TensorLoops> loops, size_t index) {
      const ArrayRef<int64_t> shape = tensorType(type).getShape();
      const bool isKnown =
          index < loops.size() && loops[index].size() == shape.size();
      for (auto [dim, extent] : llvm::enumerate(shape)) {
        const int64_t loop = isKnown ? loops[index][dim] : kNoLoop;
        if (loop < 0 || loop >= static_cast<int64_t>(nest.loops.size())) {
          dims_.push_back({{kNoLoop, extent}, 1});
          continue;
        }
        const int64_t iterations =
            std::max<int64_t>(1, nest.loops[loop].extent);
        dims_.push_back({{loop, 0}, std::max<int64_t>(1, extent / iterations)});
      }
    };
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
      add(type, nest.operands, index);
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
      add(type, nest.results, index);
  }

  /// Returns `types`, those of the op's operands or of its results, with other
  /// extents. `extentOf` takes a group and its extent in `types`, and returns
  /// the new extent. `dim` is the number of dimensions of all tensors before
  /// `types`; the number of dimensions of `types` is added to it.
  template <typename ExtentOf>
  SmallVector<RankedTensorType> resized(TypeRange types, size_t& dim,
                                        ExtentOf extentOf) const {
    SmallVector<RankedTensorType> resized;
    for (Type type : types) {
      const RankedTensorType plain = plainType(type);
      SmallVector<int64_t> shape;
      for (int64_t extent : plain.getShape()) {
        const auto& [group, perIteration] = dims_[dim++];
        shape.push_back(extentOf(group, extent / perIteration) * perIteration);
      }
      resized.push_back(RankedTensorType::get(shape, plain.getElementType()));
    }
    return resized;
  }

  /// A loop, or kNoLoop and an extent.
  using Group = std::pair<int64_t, int64_t>;

 private:
  /// For each dimension of each tensor its group, and elements per iteration.
  std::vector<std::pair<Group, int64_t>> dims_;
};

}  // namespace

/// Adds trials to `small`: the first `count` that are valid and of different
/// types and attributes.
class SmallOps::Accepted {
 public:
  Accepted(SmallOps& small, size_t count) : small_(small), count_(count) {}

  bool isFull() const { return ops_.size() >= count_; }

  /// Whether half of the ops have `number` operands.
  bool isHalfFull(size_t number) const {
    return 2 * static_cast<size_t>(llvm::count_if(
                   ops_,
                   [&](const auto& entry) {
                     return entry.second->getNumOperands() == number;
                   })) >=
           count_;
  }

  /// Returns the op of `trial` if it is added, and otherwise null.
  Operation* offer(const OpTrial& trial) {
    if (trial.numElements() > kMostSmall) return nullptr;
    Operation* op = small_.add(trial);
    if (!op) return nullptr;
    const Key key = {
        op->getPropertiesAsAttribute().getAsOpaquePointer(),
        op->getParentOp()->getAttr("function_type").getAsOpaquePointer()};
    if (!known_.insert(key).second) {
      op->getParentOp()->erase();
      return nullptr;
    }
    ops_.emplace(sizeOf(op), op);
    return op;
  }

  /// Returns the ops, smallest first.
  std::vector<Operation*> take() const {
    std::vector<Operation*> ops;
    for (auto [size, op] : ops_) ops.push_back(op);
    return ops;
  }

 private:
  using Key = std::pair<const void*, const void*>;

  static int64_t sizeOf(Operation* op) {
    int64_t size = 0;
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        size += llvm::cast<RankedTensorType>(type).getNumElements();
    return size;
  }

  SmallOps& small_;
  size_t count_;
  std::multimap<int64_t, Operation*> ops_;  // by size
  std::set<Key> known_;
};

SmallOps::SmallOps(MLIRContext* context)
    : module_(ModuleOp::create(mlir::UnknownLoc::get(context))) {}

Operation* SmallOps::add(const OpTrial& trial) {
  tried_ = trial;
  Refusal refusal;
  Operation* op = trial.addTo(*module_, refusal);
  if (op) return op;
  refusal_ = refusal;
  if (!refusal.misfit) return nullptr;
  if (misfit_)
    refusal.misfit->getParentOp()->erase();
  else
    misfit_ = refusal;
  return nullptr;
}

std::vector<Operation*> SmallOps::like(Operation* op, size_t count) {
  OpTrial trial{
      op->getLoc(), op->getName(), {}, {}, op->getPropertiesAsAttribute()};
  Draws draws(op->getName().getStringRef());
  Accepted accepted(*this, count);
  for (int64_t number = 0; number < kTrialsLike && !accepted.isFull();
       ++number) {
    // In the first half of the trials all extents are new. In the second half,
    // some are those of the op, because its attributes may require them.
    const Extents extents(op, /*byLoops=*/number % 2 == 0);
    const int64_t keepsOneIn =
        number < kTrialsLike / 2 ? 0 : 2 + draws.below(3);
    std::map<Extents::Group, int64_t> drawn;
    const auto extentOf = [&](Extents::Group group, int64_t extent) {
      auto [found, isNew] = drawn.try_emplace(group, 0);
      if (isNew)
        found->second =
            keepsOneIn > 0 && draws.oneIn(keepsOneIn) ? extent : draws.extent();
      return found->second;
    };
    size_t dim = 0;
    trial.operands = extents.resized(op->getOperandTypes(), dim, extentOf);
    trial.results = extents.resized(op->getResultTypes(), dim, extentOf);
    accepted.offer(trial);
  }
  std::vector<Operation*> ops = accepted.take();
  if (!ops.empty()) return ops;

  trial.operands.clear();
  trial.results.clear();
  for (Type type : op->getOperandTypes())
    trial.operands.push_back(plainType(type));
  for (Type type : op->getResultTypes())
    trial.results.push_back(plainType(type));
  if (trial.numElements() <= kMostAsGiven)
    if (Operation* same = add(trial)) ops.push_back(same);
  return ops;
}

std::vector<Operation*> SmallOps::named(mlir::RegisteredOperationName name,
                                        size_t count) {
  MLIRContext* context = module_->getContext();
  Draws draws(name.getStringRef());
  Accepted accepted(*this, count);
  // An op may read its attributes to infer the types of its results, before
  // they are verified. So all attributes are present until a valid op shows
  // which of them are optional.
  const bool infers = name.hasInterface<mlir::InferTypeOpInterface>();
  SmallVector<mlir::StringAttr> optional;
  if (!infers) llvm::append_range(optional, name.getAttributeNames());
  const bool anyNumber = takesAnyNumberOfOperands(name);
  bool isFirst = true;
  for (int64_t number = 0; number < kTrialsNamed && !accepted.isFull();
       ++number) {
    const OpTrial trial = drawTrial(context, name, optional, draws);
    // No number of operands takes more than half of the ops, if the verifier
    // accepts other numbers in the first half of the trials.
    if (anyNumber && number < kTrialsNamed / 2 &&
        accepted.isHalfFull(trial.operands.size()))
      continue;
    Operation* op = accepted.offer(trial);
    if (infers && op && std::exchange(isFirst, false))
      optional = optionalAttributes(op);
  }
  return accepted.take();
}

}  // namespace sbp::check
