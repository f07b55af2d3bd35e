// Makes the inputs of an entry, as the options of the command line say: from
// files, from single numbers, or at random.

#ifndef CODEGEN_INTERPRETER_TOOL_INPUTS_H_
#define CODEGEN_INTERPRETER_TOOL_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::interpreter {

/// Options that give inputs.
struct InputOptions {
  std::vector<std::string> files;  // NAME=FILE, such as "x=x.npy"
  std::vector<std::string> fills;  // NAME=NUMBER, such as "lr=0.5"
  bool areOthersRandom = false;    // whether all other inputs are random
  int64_t integerBound = 2;        // bound of random integers, exclusive
  uint64_t seed = 1;               // seed of random inputs
};

/// Returns the arguments of `function`; `types` are their whole types, without
/// placements. Fails with a diagnostic at the function if
/// - an option is not of the form NAME=VALUE, or names no input;
/// - an input is given twice, or is not given and the others are not random;
/// - the value of a fill is no number;
/// - a file cannot be read, or has a tensor of another shape or of a type that
///   cannot be converted (runtime/tensor/StoredType.h);
/// - an element is out of the range that the function takes (`nn.below`).
FailureOr<std::vector<Tensor>> readInputs(mlir::func::FuncOp function,
                                          ArrayRef<RankedTensorType> types,
                                          const InputOptions& options);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TOOL_INPUTS_H_
