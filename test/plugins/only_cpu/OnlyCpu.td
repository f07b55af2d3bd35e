// An op that has a kernel for CPUs alone.

include "codegen/cpu/KernelOp.td"
include "dialects/sbp/SbpOpBase.td"

def OnlyCpu_Dialect : Dialect {
  let name = "only_cpu";
  let cppNamespace = "::sbp::only_cpu";
}

def OnlyCpu_CopyOp : Sbp_ComputeOp<OnlyCpu_Dialect, "copy", [
    SameOperandsAndResultType,
    DeclareOpInterfaceMethods<CpuKernelOpInterface>]> {
  let arguments = (ins StaticShapeTensorOf<[AnyFloat]>:$input);
  let results = (outs StaticShapeTensorOf<[AnyFloat]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}
