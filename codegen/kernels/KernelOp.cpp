#include "codegen/kernels/KernelOp.h"

#include "codegen/kernels/KernelOp.cpp.inc"
