// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 \
// RUN:   sbpc %s --target cuda --machine auto --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 \
// RUN:   sbpc %s --target cuda --machine auto -n 2 --gpu sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=SM80 < %t.ptx
// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 SBP_SIM_CHIP=89 \
// RUN:   sbpc %s --target cuda --machine auto --emit ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=SM80 < %t.ptx
// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 SBP_SIM_LINKS=pairs \
// RUN:   sbpc %s --target cuda --machine auto --emit logical 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: env LD_LIBRARY_PATH=%driver:%nvml SBP_SIM_GPUS=4 \
// RUN:   sbpc explain %s --target cuda --machine auto 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: env LD_LIBRARY_PATH=%driver sbpc %s --machine auto -n 2 --emit logical 2>&1 | FileCheck %s --check-prefix=CPU

// REMARK: remark: the machine is this host: 4 x Stand-in (sm_90, {{.*}}); gpu x 4 by NVLink at 450 GB/s; FLOP/s as in machines/h100_node.mlir
// PTX: .target sm_90a
// SM80: .target sm_80
// LEVELS: sbp.machine @host [#sbp.level<"island" x 2, {{.*}}>, #sbp.level<"gpu" x 2, {{.*}}>] device #sbp.device<kind = gpu
// CPU: remark: the machine is this host: 2 cores with {{.*}} per core, as fast as any server's of the last ten years
// CPU: sbp.machine @host [#sbp.level<"rank" x 2,

func.func @f(%x: tensor<64x64xf32> {nn.input = "x"}) -> (tensor<64x64xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
