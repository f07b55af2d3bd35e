// The C++ classes of the primer dialect: an op that a plug-in brings along.

#ifndef PLUGINS_PRIMER_PRIMER_H_
#define PLUGINS_PRIMER_PRIMER_H_

#include "codegen/kernels/KernelOp.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/sbp/OpBase.h"

// Generated from Primer.td.
#include "Primer.h.inc"

#define GET_OP_CLASSES
#include "PrimerOps.h.inc"

#endif  // PLUGINS_PRIMER_PRIMER_H_
