// An op that has a kernel for CPUs alone.

include "codegen/cpu/KernelOp.td"
include "dialects/sbp/SbpInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def OnlyCpu_Dialect : Dialect {
  let name = "only_cpu";
  let cppNamespace = "::sbp::only_cpu";
}

def OnlyCpu_CopyOp : Op<OnlyCpu_Dialect, "copy", [
    Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<DistributedOpInterface>,
    DeclareOpInterfaceMethods<CpuKernelOpInterface>]> {
  let arguments = (ins StaticShapeTensorOf<[AnyFloat]>:$input);
  let results = (outs StaticShapeTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}
