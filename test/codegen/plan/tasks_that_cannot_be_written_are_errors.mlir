// Nothing else is written when a step of the tasks cannot be.
//
// RUN: rm -rf %t %t.plan
// RUN: mkdir %t
// RUN: echo > %t/tasks
// RUN: not sbpc %s -n 1 --emit plan --dump-forms %t -o %t.plan 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not ls %t.plan
// RUN: rm %t/tasks
// RUN: mkdir -p %t/tasks/rank-0/f/02-blocks.txt
// RUN: not sbpc %s -n 1 --emit plan --dump-forms %t -o %t.plan 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not ls %t.plan
// RUN: not ls %t/6-plan.json

// FOLDER: error: cannot make the folder {{.*}}/tasks/rank-0/f: Not a directory
// FILE: error: {{.*}}/tasks/rank-0/f/02-blocks.txt

func.func @f(%x: tensor<64x32xf32> {nn.input = "x"}) -> (tensor<64x32xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
