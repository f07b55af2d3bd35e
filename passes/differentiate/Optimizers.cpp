#include "passes/differentiate/Optimizers.h"

#include <string>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/adjoints/Term.h"
#include "passes/names/Names.h"

namespace sbp {
namespace {

Location locationOf(nn::ParameterOp parameter) {
  return named("@" + parameter.getSymName(), parameter.getLoc());
}

/// Builds one optimiser step, which reads state, computes updates, and sets
/// state and parameters.
class StepBuilder {
 public:
  StepBuilder(OpBuilder& builder, Location location, Value learningRate,
              mlir::SymbolTable& symbols)
      : builder_(builder),
        location_(location),
        learningRate_(learningRate),
        symbols_(symbols) {}

  LogicalResult sgd(nn::SgdAttr optimizer, ArrayRef<TrainedParameter> trained);

  /// Builds the step of #nn.adam, or of #nn.adamw if `isDecoupled`.
  template <typename AdamAttribute>
  LogicalResult adam(AdamAttribute optimizer, bool isDecoupled,
                     ArrayRef<TrainedParameter> trained);

 private:
  /// Adds to the module a state of this name and type, which is initially zero.
  /// Inserts it after `previous_`, and makes it the new `previous_`. Returns
  /// its value.
  FailureOr<Value> addState(const std::string& name, RankedTensorType type,
                            Attribute pin);

  /// Adds the state `@"parameter.kind"`, which has the type of the parameter,
  /// and returns its value.
  FailureOr<Value> addStateOf(nn::ParameterOp parameter, StringRef kind);

  /// Returns 1 - beta^t in the t-th training step.
  FailureOr<Value> addCorrection(const std::string& name, double beta);

  void set(StringRef name, Value value) {
    nn::SetOp::create(builder_, withoutNames(value.getLoc()), name, value);
  }

  /// Names the results of `step` after the parameter and the state in which
  /// they are stored.
  static void nameStep(Operation* step, nn::ParameterOp parameter,
                       ValueRange state) {
    std::vector<std::string> names = {("@" + parameter.getSymName()).str()};
    for (Value value : state) names.push_back(nameOf(value));
    step->setLoc(parameter.getLoc());
    nameResults(step, names);
  }

  /// Sets the parameter or state from which `value` was read to `updated`.
  void update(Value value, Value updated) {
    set(value.getDefiningOp<nn::GetOp>().getName(), updated);
  }

  OpBuilder& builder_;
  Location location_;
  Value learningRate_;
  mlir::SymbolTable& symbols_;
  nn::ParameterOp previous_;
};

FailureOr<Value> StepBuilder::addState(const std::string& name,
                                       RankedTensorType type, Attribute pin) {
  if (Operation* other = symbols_.lookup(name)) {
    mlir::InFlightDiagnostic diagnostic =
        previous_.emitOpError() << "is trained with the state @\"" << name
                                << "\", but that name is taken";
    diagnostic.attachNote(other->getLoc())
        << "by this '" << other->getName() << "' op";
    return diagnostic;
  }
  OpBuilder atModule(builder_.getContext());
  auto state =
      nn::ParameterOp::create(atModule, previous_.getLoc(), name, type,
                              nn::ZerosAttr::get(builder_.getContext()),
                              /*state=*/true);
  if (pin) state->setAttr(kPinAttrName, pin);
  symbols_.insert(state, std::next(previous_->getIterator()));
  previous_ = state;
  Location place = named("@" + name, previous_.getLoc());
  return nn::GetOp::create(builder_, place, type, name).getResult();
}

FailureOr<Value> StepBuilder::addStateOf(nn::ParameterOp parameter,
                                         StringRef kind) {
  Attribute pin = parameter->getAttr(kStatePinAttrName);
  if (!pin) pin = parameter->getAttr(kPinAttrName);
  return addState((parameter.getSymName() + "." + kind).str(),
                  parameter.getType(), pin);
}

// c' = c + (1 - beta) (1 - c). Nothing cancels in this formula, and c tends to
// 1 even though beta is rounded.
FailureOr<Value> StepBuilder::addCorrection(const std::string& name,
                                            double beta) {
  auto scalar = RankedTensorType::get({}, builder_.getF32Type());
  FailureOr<Value> state = addState(name, scalar, /*pin=*/Attribute());
  if (failed(state)) return failure();
  Term before(builder_, state->getLoc(), *state);
  Term correction = before + (1.0 - beta) * (1.0 - before);
  update(before, correction);
  return static_cast<Value>(correction);
}

LogicalResult StepBuilder::sgd(nn::SgdAttr optimizer,
                               ArrayRef<TrainedParameter> trained) {
  for (auto [parameter, value, gradient] : trained) {
    if (optimizer.getMomentum().isZero()) {
      set(parameter.getSymName(),
          nn::SgdOp::create(builder_, locationOf(parameter), value, gradient,
                            learningRate_, optimizer.getWeightDecay()));
      continue;
    }
    previous_ = parameter;
    FailureOr<Value> velocity = addStateOf(parameter, "velocity");
    if (failed(velocity)) return failure();
    auto step = nn::MomentumOp::create(
        builder_, location_, value, gradient, *velocity, learningRate_,
        optimizer.getMomentum(), optimizer.getWeightDecay());
    nameStep(step, parameter, {*velocity});
    set(parameter.getSymName(), step.getUpdated());
    update(*velocity, step.getUpdatedVelocity());
  }
  return success();
}

template <typename AdamAttribute>
LogicalResult StepBuilder::adam(AdamAttribute optimizer, bool isDecoupled,
                                ArrayRef<TrainedParameter> trained) {
  previous_ = trained.back().parameter;
  FailureOr<Value> firstCorrection = addCorrection(
      "adam.first_correction", optimizer.getBeta1().convertToDouble());
  if (failed(firstCorrection)) return failure();
  FailureOr<Value> secondCorrection = addCorrection(
      "adam.second_correction", optimizer.getBeta2().convertToDouble());
  if (failed(secondCorrection)) return failure();

  for (auto [parameter, value, gradient] : trained) {
    previous_ = parameter;
    FailureOr<Value> firstMoment = addStateOf(parameter, "first_moment");
    if (failed(firstMoment)) return failure();
    FailureOr<Value> secondMoment = addStateOf(parameter, "second_moment");
    if (failed(secondMoment)) return failure();
    auto step = nn::AdamOp::create(
        builder_, location_, isDecoupled, value, gradient, *firstMoment,
        *secondMoment, *firstCorrection, *secondCorrection, learningRate_,
        optimizer.getBeta1(), optimizer.getBeta2(), optimizer.getEpsilon(),
        optimizer.getWeightDecay());
    nameStep(step, parameter, {*firstMoment, *secondMoment});
    set(parameter.getSymName(), step.getUpdated());
    update(*firstMoment, step.getUpdatedFirstMoment());
    update(*secondMoment, step.getUpdatedSecondMoment());
  }
  return success();
}

}  // namespace

LogicalResult buildOptimizerStep(OpBuilder& builder, Location location,
                                 Attribute optimizer, Value learningRate,
                                 ArrayRef<TrainedParameter> trained,
                                 mlir::SymbolTable& symbols) {
  StepBuilder step(builder, location, learningRate, symbols);
  if (auto sgd = llvm::dyn_cast<nn::SgdAttr>(optimizer))
    return step.sgd(sgd, trained);
  if (auto adam = llvm::dyn_cast<nn::AdamAttr>(optimizer))
    return step.adam(adam, /*isDecoupled=*/false, trained);
  return step.adam(llvm::cast<nn::AdamWAttr>(optimizer), /*isDecoupled=*/true,
                   trained);
}

}  // namespace sbp
