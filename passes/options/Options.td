// Options that several passes have. Names, texts and defaults are also those of
// sbpc's command line (passes/options/DeclaredOption.h).

#ifndef PASSES_OPTIONS_OPTIONS_TD_
#define PASSES_OPTIONS_OPTIONS_TD_

include "mlir/Pass/PassBase.td"

def MicroBatchesOption : Option<"microBatches", "micro-batches",
  "::sbp::MicroBatchCount", /*default=*/"0",
  "Number of micro-batches into which a training step divides its batch. The "
  "parameters are updated once, after the last one (the schedule's number, or 1)">;

def ReduceOption : Option<"reduceIn", "reduce", "::sbp::ReduceIn",
  /*default=*/"::sbp::ReduceIn::F32",
  "The type in which gradients in bf16 of parameters in f32 are reduced over ranks: "
  "f32, exactly, or bf16, in half the bytes",
  [{llvm::cl::values(
      clEnumValN(::sbp::ReduceIn::F32, "f32", "After the cast to f32, exactly"),
      clEnumValN(::sbp::ReduceIn::BF16, "bf16", "Before the cast, in half the bytes"))}]>;

def ScheduleOption : Option<"schedule", "schedule", "std::string", /*default=*/"",
  "Order in which a training step runs the stages of a model: a family of "
  "schedules, such as 1f1b, or a file with a row of tasks per group. A name with a "
  "point or a slash is a file (the model's sbp.schedule; if it has none, the family "
  "list if there are several micro-batches)">;

def MemoryOption : Option<"memory", "memory", "::sbp::ByteCount", /*default=*/"0",
  "Limit of a plan's memory per device, in bytes or with a unit, such as 16MB or "
  "24GiB (the memory of the machine's devices)">;

def SearchSecondsOption : Option<"searchSeconds", "search-seconds", "::sbp::Seconds",
  /*default=*/"60",
  "Time limit of a search. After it the search ends with the best plan found so "
  "far, and reports by how much another plan could be faster">;

def SearchMemoryOption : Option<"searchMemory", "search-memory", "::sbp::ByteCount",
  /*default=*/"0",
  "Limit of the compiler's own memory, such as 4GB, at which a search ends in the "
  "same way (half of the free memory, 8 GB at most)">;

#endif  // PASSES_OPTIONS_OPTIONS_TD_
