// The grids that Myelin's table II has for 12, 24 and 50 billion parameters.
// RUN: sbp-lab memory --layers 48 --hidden 4512 --heads 24 --devices 48 --micro-batch 8 --memory 16GB | FileCheck %s --check-prefix=B12
// RUN: sbp-lab memory --layers 48 --hidden 6336 --heads 36 --devices 96 --micro-batch 4 --memory 16GB | FileCheck %s --check-prefix=B24
// RUN: sbp-lab memory --layers 96 --hidden 6528 --heads 48 --devices 192 --micro-batch 4 --memory 16GB | FileCheck %s --check-prefix=B50
// B12: stages 6
// B12: copies 8
// B24: stages 12
// B24: copies 8
// B50: stages 24
// B50: copies 8

// Section V-B: 40 GB of weights, gradients and state, and 8.256 GB with state in
// the host's memory.
// RUN: sbp-lab memory --parameters 12e9 --devices 6 --stages 6 | FileCheck %s --check-prefix=BYTES
// BYTES: weights_gradients_state 40000000000.0
// BYTES: offloaded 8256000000.0

// RUN: not sbp-lab memory --stages 5 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: memory: 48 devices cannot be divided into 5 stages
