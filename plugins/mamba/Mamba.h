// The C++ classes of the mamba dialect.

#ifndef PLUGINS_MAMBA_MAMBA_H_
#define PLUGINS_MAMBA_MAMBA_H_

#include "codegen/cpu/KernelOp.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/kernels/KernelOp.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/sbp/OpBase.h"

// Generated from Mamba.td.
#include "Mamba.h.inc"

#define GET_OP_CLASSES
#include "MambaOps.h.inc"

#endif  // PLUGINS_MAMBA_MAMBA_H_
