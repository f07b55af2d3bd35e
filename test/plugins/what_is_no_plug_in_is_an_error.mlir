// RUN: not sbpc %s -n 1 --load-dialect-plugin %fixtures/unfinished/no_macro.so --emit placed 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not sbp-opt %s --load-dialect-plugin=%fixtures/unfinished/no_macro.so 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not sbp-interpret %s --load-dialect-plugin %fixtures/unfinished/no_macro.so 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not sbp-lsp-server --load-dialect-plugin=%fixtures/unfinished/no_macro.so < /dev/null 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: not sbpc %s -n 1 --load-dialect-plugin %fixtures/unfinished/no_callback.so --emit placed 2>&1 | FileCheck %s --check-prefix=CALLBACK
// RUN: not sbpc %s -n 1 --load-dialect-plugin %fixtures/unfinished/no_symbol.so --emit placed 2>&1 | FileCheck %s --check-prefix=SYMBOL
// RUN: rm -rf %t && mkdir %t && touch %t/empty.so
// RUN: head -c 4096 %plugins/primer/primer.so > %t/half.so
// RUN: not sbpc %s -n 1 --load-dialect-plugin %t/empty.so --emit placed 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not sbpc %s -n 1 --load-dialect-plugin %s --emit placed 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not sbpc %s -n 1 --load-dialect-plugin %t/half.so --emit placed 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: not sbpc %s -n 1 --load-dialect-plugin %t --emit placed 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not sbpc %s -n 1 --load-dialect-plugin %t/absent.so --emit placed 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not sbpc %s -n 1 --load-dialect-plugin /dev/null --emit placed 2>&1 | FileCheck %s --check-prefix=DEVICE

// Each file that is no plug-in is one error, which names it and says what it lacks.

// MACRO: error: cannot load the dialect plug-in {{.*}}no_macro.so: it does not say what it was built with; define the plug-in by SBP_DIALECT_PLUGIN(name, version, callback) of codegen/plugin/Plugin.h, and build it with the headers in include/sbp of this version{{$}}
// MACRO-NOT: {{.}}
// CALLBACK: error: cannot load the dialect plug-in {{.*}}no_callback.so: its callback, which registers dialects, is null{{$}}
// CALLBACK-NOT: {{.}}
// SYMBOL: error: cannot load the dialect plug-in {{.*}}no_symbol.so: {{.*}}undefined symbol: {{.*}}absent{{.*$}}
// SYMBOL-NOT: {{.}}
// LIBRARY: error: cannot load the dialect plug-in {{.*}}: it is no shared library{{$}}
// LIBRARY-NOT: {{.}}
// HALF: error: cannot load the dialect plug-in {{.*}}half.so: {{.+}}
// HALF-NOT: {{.}}
// FOLDER: error: cannot load the dialect plug-in {{.*}}: it is a folder, not a shared library{{$}}
// ABSENT: error: cannot load the dialect plug-in {{.*}}absent.so: No such file or directory{{$}}
// DEVICE: error: cannot load the dialect plug-in /dev/null: it is no regular file{{$}}

func.func @predict(%x: tensor<8x4xf32> {nn.input = "x"}) -> (tensor<8x4xf32> {nn.output = "y"}) {
  return %x : tensor<8x4xf32>
}
