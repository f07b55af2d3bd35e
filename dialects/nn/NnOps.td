// The ops of the nn dialect.

#ifndef DIALECTS_NN_NNOPS_TD_
#define DIALECTS_NN_NNOPS_TD_

include "dialects/nn/NnBatchNormOps.td"
include "dialects/nn/NnElementwiseOps.td"
include "dialects/nn/NnModelOps.td"
include "dialects/nn/NnShapeOps.td"
include "dialects/nn/NnTensorOps.td"
include "dialects/nn/NnTrainingOps.td"
include "dialects/nn/NnWindowOps.td"

#endif  // DIALECTS_NN_NNOPS_TD_
