// RUN: not sbpc %s --target cuda --machine auto 2>&1 | FileCheck %s --check-prefix=NO-DRIVER
// RUN: not sbpc machine --target cuda 2>&1 | FileCheck %s --check-prefix=NO-DRIVER
// RUN: env LD_LIBRARY_PATH=%driver SBP_SIM_GPUS=0 \
// RUN:   not sbpc %s --target cuda --machine auto 2>&1 | FileCheck %s --check-prefix=NO-GPU
// RUN: env LD_LIBRARY_PATH=%driver SBP_SIM_CHIP=75 \
// RUN:   not sbpc %s --target cuda --machine auto 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: env LD_LIBRARY_PATH=%driver SBP_SIM_GPUS=4 \
// RUN:   not sbpc %s --target cuda --machine auto -n 8 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: env LD_LIBRARY_PATH=%driver SBP_SIM_GPUS=4 \
// RUN:   not sbpc machine --target cuda -n 8 2>&1 | FileCheck %s --check-prefix=FEW-PRINTED

// NO-DRIVER: error: --machine auto: there is no libcuda.so.1, which comes with NVIDIA's driver ({{.*}}); install the driver, or set LD_LIBRARY_PATH to the folder that has the library; without --machine, the GPUs are those of one node of --gpu
// NO-GPU: error: --machine auto: NVIDIA's driver finds no GPU; is CUDA_VISIBLE_DEVICES set to what this machine has?; without --machine, the GPUs are those of one node of --gpu
// OLD: error: --machine auto: Stand-in is sm_75, but programs need sm_80 or a later GPU
// FEW: remark: the machine is this host: 4 x Stand-in
// FEW: error: {{.*}}has 4 devices, but 8 ranks are asked for by -n
// FEW-PRINTED: error: -n 8: NVIDIA's driver shows 4 GPUs

func.func @f(%x: tensor<64x64xf32> {nn.input = "x"}) -> (tensor<64x64xf32> {nn.output = "y"}) {
  %y = nn.relu %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
