// What a program keeps from step to step: its parameters, by name.

#ifndef CODEGEN_INTERPRETER_PARAMETERS_H_
#define CODEGEN_INTERPRETER_PARAMETERS_H_

#include <cstdint>
#include <map>
#include <string>

#include "codegen/interpreter/Tensor.h"
#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

using Parameters = std::map<std::string, Tensor>;

/// The value with which `parameter` begins, as a whole tensor of type `type`.
/// Element i depends on the seed, the parameter's name and i alone, so that it
/// is the same under every placement.
Tensor initialValue(nn::ParameterOp parameter, RankedTensorType type,
                    uint64_t seed);

/// The initial values of the parameters in `symbolTable`, a module of whole
/// tensors.
Parameters initialParameters(Operation* symbolTable, uint64_t seed);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_PARAMETERS_H_
