// RUN: not sbpc %s -n 1 --load-dialect-plugin %fixtures/named/twice.so --load-dialect-plugin %fixtures/named/twice_again.so --emit placed 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not sbp-opt %s --load-dialect-plugin=%fixtures/named/twice.so --load-dialect-plugin=%fixtures/named/twice_again.so 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not sbpc %s -n 1 --load-dialect-plugin %fixtures/named/like_nn.so --emit placed 2>&1 | FileCheck %s --check-prefix=NN
// RUN: not sbp-opt %s --load-dialect-plugin=%fixtures/named/like_nn.so 2>&1 | FileCheck %s --check-prefix=OPT
// RUN: not sbpc %s -n 1 --load-dialect-plugin %fixtures/named/like_memref.so --emit placed 2>&1 | FileCheck %s --check-prefix=MEMREF
// RUN: not sbp-interpret %s --load-dialect-plugin %fixtures/named/like_memref.so 2>&1 | FileCheck %s --check-prefix=INTERPRET
// RUN: not sbpc %s -n 1 --load-dialect-plugin %fixtures/named/like_builtin.so --emit placed 2>&1 | FileCheck %s --check-prefix=BUILTIN
// RUN: ln -sf %fixtures/named/twice.so %t.so
// RUN: sbpc %s -n 1 --load-dialect-plugin %fixtures/named/twice.so --load-dialect-plugin %fixtures/named/twice.so --load-dialect-plugin %t.so --emit placed | FileCheck %s --check-prefix=SAME

// A dialect with the name of another one is an error, also if both classes have one name. The
// same file may be given twice.

// TWICE: error: cannot load the dialect plug-in {{.*}}twice_again.so: it has a dialect 'twice', and so has {{.*}}twice.so{{$}}
// TWICE-NOT: {{.}}
// NN: error: cannot load the dialect plug-in {{.*}}like_nn.so: it has a dialect 'nn', which is the name of one of sbpc's own{{$}}
// NN-NOT: {{.}}
// OPT: error: cannot load the dialect plug-in {{.*}}like_nn.so: it has a dialect 'nn', which is the name of one of sbp-opt's own{{$}}
// MEMREF: it has a dialect 'memref', which is the name of one of sbpc's own
// INTERPRET: it has a dialect 'memref', which is the name of one of sbp-interpret's own
// BUILTIN: error: cannot load the dialect plug-in {{.*}}like_builtin.so: Trying to register different dialects for the same namespace: builtin{{$}}
// BUILTIN-NOT: {{.}}

// SAME: func.func @predict
func.func @predict(%x: tensor<8x4xf32> {nn.input = "x"}) -> (tensor<8x4xf32> {nn.output = "y"}) {
  return %x : tensor<8x4xf32>
}
