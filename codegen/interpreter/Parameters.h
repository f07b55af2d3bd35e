// The values of a program's parameters, which stay from run to run.

#ifndef CODEGEN_INTERPRETER_PARAMETERS_H_
#define CODEGEN_INTERPRETER_PARAMETERS_H_

#include <cstdint>
#include <map>
#include <string>

#include "codegen/interpreter/Tensor.h"
#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

/// Values of parameters, by name. For an nn.get of an earlier step the
/// interpreter keeps older values here too, from the first nn.set on: "w@-1" is
/// the value of w one step ago.
using Parameters = std::map<std::string, Tensor>;

/// Returns the initial value of `parameter`, as its initializer states. `type`
/// is the type of the undivided tensor: in a rank.program, the type of
/// `parameter` is that of the rank's part. Element i depends only on the
/// initializer, the seed, the parameter's name, the element type and i, so that
/// it is the same under every placement.
Tensor initialValue(nn::ParameterOp parameter, RankedTensorType type,
                    uint64_t seed);

/// Returns the initial values of the parameters in `symbolTable`, a module of
/// whole tensors.
Parameters initialParameters(Operation* symbolTable, uint64_t seed);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_PARAMETERS_H_
