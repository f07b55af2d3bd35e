#include "dialects/nn/DifferentiableOp.h"

#include "dialects/nn/NnInterfaces.cpp.inc"
