// RUN: split-file %s %t
// RUN: sbp-opt %t/no_device.mlir --sbp-to-placed --verify-diagnostics -o /dev/null
// RUN: sbp-opt %t/other_rates.mlir --sbp-to-placed --verify-diagnostics -o /dev/null
// RUN: sbp-opt %t/no_rates.mlir --sbp-to-placed --verify-diagnostics -o /dev/null
// RUN: sbp-opt %t/wider_rate.mlir --sbp-to-placed --verify-diagnostics -o /dev/null
// RUN: sbpc explain %t/other_rates.mlir 2>&1 | FileCheck %s
// RUN: sbpc explain %t/no_rates.mlir 2>&1 | FileCheck %s
// RUN: sbpc explain %t/double.mlir 2>&1 | FileCheck %s --check-prefix=DOUBLE

// FLOPs are never free: 2 x 1000^3 of them take 20 ms at 100 GFLOP/s, and the
// 12 MB that are read and written 12 us.

// CHECK: .mlir:2:1: remark: @m has {{.*}}, so that plans are compared as if devices computed with f32 at 100 GFLOP/s
// CHECK: @product: 20 ms, all of it computing

// DOUBLE: remark: @m describes no device, so that plans are compared as if devices had 100 GFLOP/s and 10 GB/s
// DOUBLE: @product: 20 ms, all of it computing

//--- no_device.mlir
// expected-remark @below {{@m describes no device, so that plans are compared as if devices had 100 GFLOP/s and 10 GB/s}}
sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @product(%a: tensor<1000x1000xf32> {nn.input = "a"},
                   %b: tensor<1000x1000xf32> {nn.input = "b"})
    -> (tensor<1000x1000xf32> {nn.output = "c"}) {
  %c = nn.einsum "ij,jk->ik" %a, %b
      : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %c : tensor<1000x1000xf32>
}

//--- double.mlir
// Any type has the rate that is assumed.
sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-10>]
func.func @product(%a: tensor<1000x1000xf64> {nn.input = "a"},
                   %b: tensor<1000x1000xf64> {nn.input = "b"})
    -> (tensor<1000x1000xf64> {nn.output = "c"}) {
  %c = nn.einsum "ij,jk->ik" %a, %b
      : (tensor<1000x1000xf64>, tensor<1000x1000xf64>) -> tensor<1000x1000xf64>
  return %c : tensor<1000x1000xf64>
}

//--- other_rates.mlir
// expected-remark @below {{@m has rates for bf16, i8, but not for f32, so that plans are compared as if devices computed with f32 at 100 GFLOP/s}}
sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [
      #sbp.rate<bf16, 1.0e14>, #sbp.rate<i8, 1.0e14>]>
func.func @product(%a: tensor<1000x1000xf32> {nn.input = "a"},
                   %b: tensor<1000x1000xf32> {nn.input = "b"})
    -> (tensor<1000x1000xf32> {nn.output = "c"}) {
  %c = nn.einsum "ij,jk->ik" %a, %b
      : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %c : tensor<1000x1000xf32>
}

//--- no_rates.mlir
// expected-remark @below {{@m has no rates, so that plans are compared as if devices computed with f32 at 100 GFLOP/s}}
sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12>
func.func @product(%a: tensor<1000x1000xf32> {nn.input = "a"},
                   %b: tensor<1000x1000xf32> {nn.input = "b"})
    -> (tensor<1000x1000xf32> {nn.output = "c"}) {
  %c = nn.einsum "ij,jk->ik" %a, %b
      : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %c : tensor<1000x1000xf32>
}

//--- wider_rate.mlir
// The rate of f64 is that of f32 as well: nothing is assumed.
sbp.machine @m [#sbp.level<"gpu" x 1, alpha = 1.0e-6, beta = 1.0e-10>]
    device #sbp.device<memory = 1.0e9, bandwidth = 1.0e12, rates = [#sbp.rate<f64, 1.0e12>]>
func.func @product(%a: tensor<1000x1000xf32> {nn.input = "a"},
                   %b: tensor<1000x1000xf32> {nn.input = "b"})
    -> (tensor<1000x1000xf32> {nn.output = "c"}) {
  %c = nn.einsum "ij,jk->ik" %a, %b
      : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %c : tensor<1000x1000xf32>
}
