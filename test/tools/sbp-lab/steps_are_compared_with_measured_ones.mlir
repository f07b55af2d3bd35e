// RUN: echo "size,count,type,time" > %t.ar
// RUN: echo "1048576,262144,float,44210" >> %t.ar
// RUN: echo "1073741824,268435456,float,8193000" >> %t.ar
// RUN: echo "GPUs,batch,micro,hidden,heads,layers,length,t,d,p,ms" > %t.csv
// RUN: echo "2,16,8,1024,16,24,1024,1,1,2,372.160408" >> %t.csv
// RUN: echo "8,32,4,1024,16,24,1024,2,2,2,219.732754" >> %t.csv
// RUN: echo "4,16,4,2048,16,24,1024,1,2,2,410.490577" >> %t.csv
// RUN: sbp-lab vtrain %t.csv --all-reduce 2=%t.ar --folds 3 | FileCheck %s
// CHECK: runs 3
// CHECK: errors
// CHECK: mean 0.
// CHECK: choices
// CHECK: folds

// Numbers that are fitted to these runs, with errors of these runs.
// RUN: sbp-lab vtrain %t.csv --fit %t.csv --all-reduce 2=%t.ar | FileCheck %s --check-prefix=FIT
// FIT: mean 0.0
// FIT: numbers
// FIT: rate

// RUN: not sbp-lab vtrain %t.csv 2>&1 | FileCheck %s --check-prefix=TIMES
// TIMES: has runs with all-reduces among 2 GPUs; --all-reduce 2=FILE gives their times
// RUN: not sbp-lab vtrain %t.csv --all-reduce %t.ar 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: --all-reduce is GPUS=FILE, such as 8=table
// RUN: not sbp-lab vtrain 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: vtrain: which RUNS?
