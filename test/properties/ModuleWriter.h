// The generation of one random module: the state that its functions share.

#ifndef TEST_PROPERTIES_MODULEWRITER_H_
#define TEST_PROPERTIES_MODULEWRITER_H_

#include <string>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

/// Writes the parameters of one module, and adds functions to it.
class ModuleWriter {
 public:
  /// Writes into `module` a program that computes in `floatType`.
  ModuleWriter(ModuleOp module, Type floatType, Choices& choices)
      : module_(module), floatType_(floatType), choices_(choices) {}

  Choices& choices() { return choices_; }
  MLIRContext* context() { return module_.getContext(); }
  Type floatType() { return floatType_; }

  /// Returns a parameter of type `type`: mostly a new one, sometimes an
  /// existing one.
  nn::ParameterOp parameter(RankedTensorType type);

  /// Adds an empty function with arguments of these types at the end of the
  /// module.
  mlir::func::FuncOp addFunction(StringRef name, TypeRange arguments);

  /// The layers so far, which later functions may call.
  SmallVector<mlir::func::FuncOp>& layers() { return layers_; }

  /// Exclusive upper bound of the integers of each argument of the entry.
  std::vector<int64_t>& integerBounds() { return integerBounds_; }

 private:
  Attribute initializer(RankedTensorType type);

  ModuleOp module_;
  Type floatType_;
  Choices& choices_;
  SmallVector<nn::ParameterOp> parameters_;
  SmallVector<mlir::func::FuncOp> layers_;
  std::vector<int64_t> integerBounds_;
};

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_MODULEWRITER_H_
