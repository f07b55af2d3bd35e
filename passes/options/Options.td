// Options that several passes have. Names, texts and defaults are also those of
// sbpc's command line (passes/options/DeclaredOption.h).

#ifndef PASSES_OPTIONS_OPTIONS_TD_
#define PASSES_OPTIONS_OPTIONS_TD_

include "mlir/Pass/PassBase.td"

def MicroBatchesOption : Option<"microBatches", "micro-batches",
  "::sbp::MicroBatchCount", /*default=*/"0",
  "Number of micro-batches into which a training step divides its batch; it "
  "updates the parameters once, after all of them (the schedule's number, or 1)">;

def ReduceOption : Option<"reduceIn", "reduce", "::sbp::ReduceIn",
  /*default=*/"::sbp::ReduceIn::F32",
  "The type in which gradients in bf16 of parameters in f32 are reduced over ranks: "
  "f32, exactly, or bf16, in half the bytes",
  [{llvm::cl::values(
      clEnumValN(::sbp::ReduceIn::F32, "f32", "After the cast to f32, exactly"),
      clEnumValN(::sbp::ReduceIn::BF16, "bf16", "Before the cast, in half the bytes"))}]>;

def ScheduleOption : Option<"schedule", "schedule", "std::string", /*default=*/"",
  "The order in which a training step runs the stages of a model: a family of "
  "schedules, such as 1f1b, or a file with a row of tasks per group, whose name "
  "has a point or a slash (the model's sbp.schedule; without one, list, where "
  "there are micro-batches)">;

def MemoryOption : Option<"memory", "memory", "::sbp::ByteCount", /*default=*/"0",
  "Memory of a device that a plan may take: bytes, or with a unit, such as 16MB "
  "or 24GiB (what the machine says)">;

def SearchSecondsOption : Option<"searchSeconds", "search-seconds", "::sbp::Seconds",
  /*default=*/"60",
  "Seconds after which a search ends with the best plan found so far, and says "
  "how much better any other could be">;

def SearchMemoryOption : Option<"searchMemory", "search-memory", "::sbp::ByteCount",
  /*default=*/"0",
  "Memory of the compiler at which a search ends in the same way, such as 4GB "
  "(half of what is free, 8 GB at most)">;

#endif  // PASSES_OPTIONS_OPTIONS_TD_
