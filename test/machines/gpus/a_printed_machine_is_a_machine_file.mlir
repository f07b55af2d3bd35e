// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 SBP_SIM_LINKS=pairs \
// RUN:   sbpc machine --target cuda -o %t.gpus.mlir
// RUN: sbpc %s --target cuda --machine %t.gpus.mlir --emit logical | FileCheck %s --check-prefix=GPUS
// RUN: sbpc machine -n 3 -o %t.cores.mlir
// RUN: sbpc %s --machine %t.cores.mlir --emit logical | FileCheck %s --check-prefix=CORES
// RUN: FileCheck %s --check-prefix=TEXT < %t.cores.mlir
// RUN: not sbpc machine -o /no/such/folder/machine.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT

// GPUS: sbp.machine @host [#sbp.level<"island" x 2, {{.*}}>, #sbp.level<"gpu" x 2, {{.*}}>] device #sbp.device<kind = gpu
// CORES: sbp.machine @host [#sbp.level<"rank" x 3,
// TEXT: // This host, by sbpc machine: 3 cores with {{.*}} per core, as fast as any server's of the last ten years.
// OUTPUT: error: cannot write /no/such/folder/machine.mlir

func.func @f(%x: tensor<64x64xf32> {nn.input = "x"}) -> (tensor<64x64xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
