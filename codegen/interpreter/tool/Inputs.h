// The inputs of an entry function, as the command line gives them.

#ifndef CODEGEN_INTERPRETER_TOOL_INPUTS_H_
#define CODEGEN_INTERPRETER_TOOL_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::interpreter {

struct InputOptions {
  std::vector<std::string> files;  // "x=x.npy"
  std::vector<std::string> fills;  // "lr=0.5"
  bool areOthersRandom = false;
  int64_t integerBound = 2;  // of random integers, exclusive
  uint64_t seed = 1;
};

/// The name of argument `index`: its `nn.input`, or else its number.
std::string inputName(mlir::func::FuncOp function, size_t index);

/// The name of result `index`: its `nn.output`, or else its number.
std::string outputName(mlir::func::FuncOp function, size_t index);

/// The arguments of `function`, whose whole types are `types`. Fails with a
/// diagnostic at the function: an input is given twice or not at all, a name is
/// none of its inputs, a file cannot be read or holds a tensor of another type,
/// or an element is none that the function takes (`nn.below`).
FailureOr<std::vector<Tensor>> readInputs(mlir::func::FuncOp function,
                                          ArrayRef<RankedTensorType> types,
                                          const InputOptions& options);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TOOL_INPUTS_H_
