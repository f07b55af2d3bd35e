// RUN: sbpc --load-dialect-plugin %plugins/halo/halo.so --load-dialect-plugin %plugins/primer/primer.so %s -n 1 --emit placed | FileCheck %s
// RUN: sbpc explain --load-dialect-plugin %plugins/summa/summa.so --load-dialect-plugin %plugins/primer/primer.so %s -n 1 --details | FileCheck %s
// RUN: sbp-opt --load-dialect-plugin %plugins/summa/summa.so --load-dialect-plugin %plugins/primer/primer.so %s | FileCheck %s
// RUN: sbp-interpret --load-dialect-plugin %plugins/primer/primer.so %s --entry predict --fill x=3 | FileCheck %s --check-prefix=KERNEL
// RUN: sbp-interpret --load-dialect-plugin %plugins/primer/primer.so --fill x=3 %s --entry predict | FileCheck %s --check-prefix=KERNEL
// RUN: sbp-interpret --load-dialect-plugin %plugins/halo/halo.so --load-dialect-plugin %plugins/primer/primer.so --fill x=2 %s --entry plain | FileCheck %s --check-prefix=PLAIN
// RUN: sbp-interpret --load-dialect-plugin %fixtures/only_cpu/only_cpu.so --fill x=2 %s --entry plain --load-dialect-plugin %plugins/primer/primer.so | FileCheck %s --check-prefix=PLAIN
// RUN: sbp-lsp-server --load-dialect-plugin %plugins/primer/primer.so --load-dialect-plugin %fixtures/only_cpu/only_cpu.so -lit-test < %S/open_a_model.requests | FileCheck %s --check-prefix=SERVER
// RUN: readelf --dynamic %plugins/primer/primer.so | FileCheck %s --check-prefix=NOW

// All tools load plug-ins, whose symbols are all bound then; each option has one file. The
// interpreter runs an op of another dialect by its kernel for CPUs.

// NOW: BIND_NOW
// SERVER: "method": "textDocument/publishDiagnostics"
// SERVER-NEXT: "params": {
// SERVER-NEXT: "diagnostics": []
// PLAIN: y: tensor<2xf32> = {{.*}}4

// CHECK: primer.squared_relu
// KERNEL: y: tensor<2xf32> = {{.*}}9
func.func @predict(%x: tensor<2xf32> {nn.input = "x"}) -> (tensor<2xf32> {nn.output = "y"}) {
  %y = primer.squared_relu %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @plain(%x: tensor<2xf32> {nn.input = "x"}) -> (tensor<2xf32> {nn.output = "y"}) {
  %y = nn.mul %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
