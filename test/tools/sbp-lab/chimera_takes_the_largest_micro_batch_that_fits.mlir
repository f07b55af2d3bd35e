// RUN: sbp-lab chimera --devices 16 --layers 16 --batch 128 --weights 8GB --activations 1GB --memory 16GB | FileCheck %s
// CHECK: best
// CHECK: configurations
// CHECK: "depth":2,"pipelines":8,"micro_batch":8,"micro_batches":2
// CHECK: "depth":4,"pipelines":4,"micro_batch":8,"micro_batches":4
// CHECK: "depth":8,"pipelines":2,"micro_batch":8,"micro_batches":8
// CHECK: "depth":16,"pipelines":1,"micro_batch":8,"micro_batches":16

// RUN: not sbp-lab chimera --memory 1GB 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: chimera: no even depth that divides 32 devices and 48 layers fits into 1e+09 bytes per device
