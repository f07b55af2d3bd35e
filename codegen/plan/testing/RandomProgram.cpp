#include "codegen/plan/testing/RandomProgram.h"

#include <random>
#include <set>

#include "dialects/nn/Nn.h"
#include "dialects/rank/Bucket.h"
#include "dialects/rank/Rank.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::testing {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

/// Makes one random module.
class Generator {
 public:
  Generator(MLIRContext* context, unsigned seed)
      : builder_(context), loc_(builder_.getUnknownLoc()), random_(seed) {}

  mlir::OwningOpRef<ModuleOp> run() {
    mlir::OwningOpRef<ModuleOp> module = ModuleOp::create(loc_);
    builder_.setInsertionPointToEnd(module->getBody());
    auto level = LevelAttr::get(builder_.getContext(), "rank", 1,
                                llvm::APFloat(0.0), llvm::APFloat(0.0));
    MachineOp::create(builder_, loc_, "one", builder_.getArrayAttr({level}),
                      /*device=*/nullptr);
    auto program = rank::ProgramOp::create(builder_, loc_, "all", "one",
                                           ArrayRef<int64_t>{0});
    builder_.setInsertionPointToEnd(&program.getBody().emplaceBlock());
    for (int i = 0; i < 4; ++i) addParameter("w" + std::to_string(i));
    size_t numLayers = below(4);
    for (size_t i = 0; i < numLayers; ++i)
      addFunction("layer" + std::to_string(i), Kind::Layer);
    size_t numRepeated = below(3);
    for (size_t i = 0; i < numRepeated; ++i)
      addFunction("repeated" + std::to_string(i), Kind::Repeated);
    addFunction("entry", Kind::Entry);
    return module;
  }

 private:
  enum class Kind { Layer, Repeated, Entry };

  /// A layer, or a repeated function, and the parameters that it and its
  /// callees read.
  struct Layer {
    FuncOp function;
    std::set<size_t> reads;
  };

  size_t below(size_t bound) { return random_() % bound; }

  RankedTensorType randomType() {
    constexpr int64_t kExtents[] = {0, 1, 16, 17, 100, 100, 1000};
    return RankedTensorType::get({kExtents[below(std::size(kExtents))]},
                                 builder_.getF32Type());
  }

  mlir::TypeAttr wholeOf(Type type) {
    auto mesh = mlir::FlatSymbolRefAttr::get(builder_.getContext(), "one");
    return mlir::TypeAttr::get(withPlacement(llvm::cast<RankedTensorType>(type),
                                             NdSbpAttr::broadcast(mesh, 1)));
  }

  void addParameter(const std::string& name) {
    RankedTensorType type = randomType();
    auto parameter = nn::ParameterOp::create(
        builder_, loc_, name, type, nn::ZerosAttr::get(builder_.getContext()),
        /*state=*/false, /*frozen=*/false);
    parameter->setAttr(rank::kWholeAttrName, wholeOf(type));
    parameters_.push_back(parameter);
  }

  Value anyValue() { return values_[below(values_.size())]; }

  /// Returns a random value of `type`; null if there is none.
  Value valueOf(Type type) {
    SmallVector<Value> candidates = llvm::filter_to_vector(
        values_, [&](Value value) { return value.getType() == type; });
    return candidates.empty() ? Value() : candidates[below(candidates.size())];
  }

  void addFunction(const std::string& name, Kind kind) {
    OpBuilder::InsertionGuard guard(builder_);
    bool isEntry = kind == Kind::Entry;
    SmallVector<Type> arguments;
    for (size_t i = 0; i < 1 + below(3); ++i) arguments.push_back(randomType());
    // A repeated function returns values of the types of its last arguments.
    size_t numGiven = arguments.size();
    if (kind == Kind::Repeated)
      for (size_t i = 0; i < 1 + below(4); ++i)
        arguments.push_back(arguments[below(arguments.size())]);
    auto function = FuncOp::create(builder_, loc_, name,
                                   builder_.getFunctionType(arguments, {}));
    builder_.setInsertionPointToEnd(function.addEntryBlock());
    values_.assign(function.getArguments().begin(),
                   function.getArguments().end());
    reads_.clear();
    isSet_.clear();
    size_t numOps = 1 + below(isEntry ? 40 : 12);
    for (size_t i = 0; i < numOps; ++i) {
      if (isEntry && below(6) == 0)
        addSet();
      else if (isEntry && below(8) == 0)
        addRepeat();
      else
        addOp();
    }
    SmallVector<Value> results;
    if (kind == Kind::Repeated)
      for (Type type : ArrayRef(arguments).drop_front(numGiven))
        results.push_back(valueOf(type));
    else
      for (size_t i = 0; i < 1 + below(3); ++i) results.push_back(anyValue());
    ReturnOp::create(builder_, loc_, results);
    function.setFunctionType(builder_.getFunctionType(
        arguments, llvm::to_vector(ValueRange(results).getTypes())));
    if (isEntry) {
      for (unsigned i = 0; i < arguments.size(); ++i)
        function.setArgAttr(i, rank::kWholeAttrName, wholeOf(arguments[i]));
      for (unsigned i = 0; i < results.size(); ++i)
        function.setResultAttr(i, rank::kWholeAttrName,
                               wholeOf(results[i].getType()));
    } else {
      function.setPrivate();
      (kind == Kind::Layer ? layers_ : repeated_).push_back({function, reads_});
    }
  }

  void addOp() {
    Value value = anyValue();
    auto type = llvm::cast<RankedTensorType>(value.getType());
    switch (below(9)) {
      case 0:
        values_.push_back(nn::ReluOp::create(builder_, loc_, type, value));
        return;
      case 1:  // may not run in place
        values_.push_back(nn::ExpOp::create(builder_, loc_, type, value));
        return;
      case 2:
      case 3:
        values_.push_back(
            nn::AddOp::create(builder_, loc_, type, value, valueOf(type)));
        return;
      case 4:
        values_.push_back(nn::ReshapeOp::create(builder_, loc_, type, value));
        return;
      case 5:
        addReduction(value, type);
        return;
      case 6:
        addGet();
        return;
      case 7:
        addMomentum(value, type);
        return;
      case 8:
        addCall();
        return;
    }
  }

  /// Adds an all-reduce, which may go into a bucket.
  void addReduction(Value value, RankedTensorType type) {
    auto reduce =
        rank::AllReduceOp::create(builder_, loc_, type, rank::Reduction::Sum,
                                  value, builder_.getStrArrayAttr({"rank"}));
    const int64_t here =
        type.getNumElements() * elementBytes(type.getElementType());
    const int64_t bytes = here + static_cast<int64_t>(below(100));
    if (below(4) > 0)
      rank::setBucket(reduce, {/*step=*/static_cast<int64_t>(below(2)), bytes,
                               /*fullBytes=*/here + 200});
    values_.push_back(reduce);
  }

  void addMomentum(Value value, RankedTensorType type) {
    auto scalar = RankedTensorType::get({}, builder_.getF32Type());
    Value rate = nn::ConstantOp::create(
        builder_, loc_, scalar, mlir::DenseElementsAttr::get(scalar, 1.0f));
    auto step = nn::MomentumOp::create(
        builder_, loc_, TypeRange{type, type}, value, valueOf(type),
        valueOf(type), rate, llvm::APFloat(0.9), llvm::APFloat(0.0));
    values_.push_back(step.getUpdated());
    values_.push_back(step.getUpdatedVelocity());
  }

  void addGet() {
    size_t which = below(parameters_.size());
    if (isSet_.count(which)) return;
    reads_.insert(which);
    nn::ParameterOp parameter = parameters_[which];
    values_.push_back(nn::GetOp::create(builder_, loc_, parameter.getType(),
                                        parameter.getSymName()));
  }

  void addSet() {
    size_t which = below(parameters_.size());
    Value value = valueOf(parameters_[which].getType());
    if (!value || !isSet_.insert(which).second) return;
    nn::SetOp::create(builder_, loc_, parameters_[which].getSymName(), value);
  }

  void addCall() {
    if (layers_.empty()) return;
    const Layer& layer = layers_[below(layers_.size())];
    for (size_t parameter : layer.reads)
      if (isSet_.count(parameter)) return;
    FuncOp function = layer.function;
    SmallVector<Value> arguments;
    for (Type type : function.getArgumentTypes()) {
      arguments.push_back(valueOf(type));
      if (!arguments.back()) return;
    }
    reads_.insert(layer.reads.begin(), layer.reads.end());
    auto call = CallOp::create(builder_, loc_, function, arguments);
    values_.append(call.getResults().begin(), call.getResults().end());
  }

  void addRepeat() {
    if (repeated_.empty()) return;
    const Layer& layer = repeated_[below(repeated_.size())];
    for (size_t parameter : layer.reads)
      if (isSet_.count(parameter)) return;
    FuncOp function = layer.function;
    SmallVector<Value> given;
    for (Type type :
         function.getArgumentTypes().drop_back(function.getNumResults())) {
      given.push_back(valueOf(type));
      if (!given.back()) return;
    }
    auto repeat =
        nn::RepeatOp::create(builder_, loc_, function.getResultTypes(),
                             1 + below(4), function.getName(), given);
    values_.append(repeat.result_begin(), repeat.result_end());
  }

  OpBuilder builder_;
  Location loc_;
  std::mt19937 random_;
  std::vector<nn::ParameterOp> parameters_;
  std::vector<Layer> layers_, repeated_;
  // The state of the function that is being made:
  SmallVector<Value> values_;
  std::set<size_t> reads_;  // parameters, by index
  std::set<size_t> isSet_;
};

}  // namespace

mlir::OwningOpRef<ModuleOp> randomRankProgram(MLIRContext* context,
                                              unsigned seed) {
  return Generator(context, seed).run();
}

}  // namespace sbp::testing
