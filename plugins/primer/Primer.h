// The C++ classes of the primer dialect: an op that a plug-in brings along.

#ifndef PLUGINS_PRIMER_PRIMER_H_
#define PLUGINS_PRIMER_PRIMER_H_

#include "codegen/kernels/KernelOp.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/sbp/DistributedOp.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "plugins/primer/Primer.h.inc"

#define GET_OP_CLASSES
#include "plugins/primer/PrimerOps.h.inc"

#endif  // PLUGINS_PRIMER_PRIMER_H_
