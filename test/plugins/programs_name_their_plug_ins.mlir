// RUN: sbpc %s -n 1 --load-dialect-plugin %plugins/summa/summa.so --load-dialect-plugin %plugins/primer/primer.so --load-dialect-plugin %fixtures/only_cpu/only_cpu.so --emit plan -o %t.1
// RUN: sbpc %s -n 1 --load-dialect-plugin %fixtures/only_cpu/only_cpu.so --load-dialect-plugin %plugins/primer/primer.so --load-dialect-plugin %plugins/summa/summa.so --emit plan -o %t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck %s --input-file=%t.1 --check-prefix=PLAN
// RUN: sbpc %s -n 1 --load-dialect-plugin %plugins/summa/summa.so --load-dialect-plugin %plugins/primer/primer.so --load-dialect-plugin %fixtures/only_cpu/only_cpu.so -o %t.program
// RUN: %t.program --describe | FileCheck %s --check-prefix=PROGRAM
// RUN: echo 'func.func @f(%%x: tensor<2xf32>) -> tensor<2xf32> { return %%x : tensor<2xf32> }' > %t.mlir
// RUN: sbpc %t.mlir -n 1 --load-dialect-plugin %plugins/primer/primer.so --emit plan | FileCheck %s --check-prefix=UNUSED

// A plan, and a program, name the plug-ins with which they were made: those whose dialects they
// use, and those that extend other dialects, such as summa. The order in which they were loaded
// changes nothing.

// PLAN: "compiler":
// PLAN-NEXT: "plugins": [{"name": "primer", "version": "1"}, {"name": "summa", "version": "1"}],{{$}}
// PROGRAM: {{^}}plug-ins: primer 1, summa 1{{$}}
// UNUSED: "compiler":
// UNUSED-NOT: "plugins"

func.func @predict(%x: tensor<8x4xf32> {nn.input = "x"}) -> (tensor<8x4xf32> {nn.output = "y"}) {
  %y = primer.squared_relu %x : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
