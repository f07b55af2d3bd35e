// A random module while it is being written: what its functions share.

#ifndef TEST_PROPERTIES_MODULEWRITER_H_
#define TEST_PROPERTIES_MODULEWRITER_H_

#include <string>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

class ModuleWriter {
 public:
  /// Writes into `module` programs that compute in `floatType`.
  ModuleWriter(ModuleOp module, Type floatType, Choices& choices)
      : module_(module), floatType_(floatType), choices_(choices) {}

  Choices& choices() { return choices_; }
  MLIRContext* context() { return module_.getContext(); }
  Type floatType() { return floatType_; }

  /// A parameter of type `type`: mostly a new one, at times one that there is.
  nn::ParameterOp parameter(RankedTensorType type);

  /// An empty function with these arguments at the end of the module.
  mlir::func::FuncOp addFunction(StringRef name, TypeRange arguments);

  /// Functions that may be called.
  SmallVector<mlir::func::FuncOp>& layers() { return layers_; }

  /// Per argument of the entry, what its integers are below.
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
