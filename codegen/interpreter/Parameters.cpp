#include "codegen/interpreter/Parameters.h"

#include "codegen/interpreter/Random.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sbp::interpreter {

Tensor initialValue(nn::ParameterOp parameter, RankedTensorType type,
                    uint64_t seed) {
  CountedRandom random(seed, parameter.getSymName());
  auto drawn = [&](auto draw) {
    std::vector<double> elements;
    for (int64_t index = 0; index < type.getNumElements(); ++index)
      elements.push_back(draw(index));
    return Tensor(type, std::move(elements));
  };
  return llvm::TypeSwitch<Attribute, Tensor>(parameter.getInitializer())
      .Case([&](nn::NormalAttr normal) {
        double deviation = normal.getStddev().convertToDouble();
        return drawn([&](int64_t i) { return deviation * random.normal(i); });
      })
      .Case([&](nn::UniformAttr uniform) {
        double lower = uniform.getLower().convertToDouble();
        double upper = uniform.getUpper().convertToDouble();
        return drawn([&](int64_t i) {
          return lower + (upper - lower) * random.uniform(i);
        });
      })
      .Case([&](nn::ConstantAttr constant) {
        return Tensor::splat(type, constant.getValue().convertToDouble());
      })
      .Case([&](nn::OnesAttr) { return Tensor::splat(type, 1); })
      .Default([&](Attribute) { return Tensor::splat(type, 0); });
}

Parameters initialParameters(Operation* symbolTable, uint64_t seed) {
  Parameters parameters;
  for (auto parameter : symbolTable->getRegion(0).getOps<nn::ParameterOp>())
    parameters[parameter.getSymName().str()] = initialValue(
        parameter, llvm::cast<RankedTensorType>(parameter.getType()), seed);
  return parameters;
}

}  // namespace sbp::interpreter
