// Random logical programs: what somebody might write, and nobody would.
//
// A program has a loss function of three to a dozen steps, each an op of nn
// with random operands, shapes and attributes, and calls to layers that are
// made likewise. Whatever is left over joins the loss, so every op counts.

#ifndef TEST_PROPERTIES_RANDOMPROGRAM_H_
#define TEST_PROPERTIES_RANDOMPROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "test/properties/Choices.h"

namespace sbp::properties {

struct RandomProgram {
  /// In the logical form; the entry is `@loss`, whose `nn.optimizer` has the
  /// learning rate 1 in mind.
  mlir::OwningOpRef<ModuleOp> module;
  /// The type that it computes in.
  Type floatType;
  /// Per argument of `@loss`, what its integers must be below.
  std::vector<int64_t> integerBounds;

  /// Arguments for the `@train_step` of `@loss`: floating-point ones are
  /// normally distributed, and the learning rate is 1.
  SmallVector<interpreter::Tensor> arguments(uint64_t seed);
};

/// A program that computes in `floatType`.
RandomProgram randomProgram(MLIRContext* context, Type floatType,
                            Choices& choices);

/// One that computes in f32, as programs that are compiled do.
RandomProgram singlePrecisionProgram(MLIRContext* context, Choices& choices);

/// One that computes in bf16.
RandomProgram bf16Program(MLIRContext* context, Choices& choices);

/// The program of `text`, that of a network (RandomNetwork.h), which computes
/// in `floatType` and takes no integers. Its module is null, after a
/// diagnostic, if it cannot be read.
RandomProgram readProgram(const std::string& text, Type floatType);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMPROGRAM_H_
