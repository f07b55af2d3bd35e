// Random logical programs, which need not make sense.
//
// A program has a loss function of three to a dozen steps. Each step adds an op
// of nn with random operands, shapes and attributes, or a call of a layer that
// is generated in the same way, and keeps all, products or inputs. The loss
// depends on all values of its function that have no other use, so every op of
// that function contributes to the loss. A layer may have ops that do not
// contribute.

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

/// A random program.
struct RandomProgram {
  /// The program in the logical form. Its entry is `@loss`, whose
  /// `nn.optimizer` is meant for the learning rate 1.
  mlir::OwningOpRef<ModuleOp> module;
  /// The type in which the program computes.
  Type floatType;
  /// Exclusive upper bound of the integers of each argument of `@loss`.
  std::vector<int64_t> integerBounds;

  /// Returns random arguments for the `@train_step` of `@loss`. Floating-point
  /// arguments are normally distributed, and the learning rate is 1.
  SmallVector<interpreter::Tensor> arguments(uint64_t seed);
};

/// Returns a random program that computes in `floatType`.
RandomProgram randomProgram(MLIRContext* context, Type floatType,
                            Choices& choices);

/// Returns a random program that computes in f32, as compiled programs do.
RandomProgram singlePrecisionProgram(MLIRContext* context, Choices& choices);

/// Returns a random program that computes in bf16.
RandomProgram bf16Program(MLIRContext* context, Choices& choices);

/// Parses `text`, the text of a network (RandomNetwork.h) that computes in
/// `floatType` and has a single input, which is floating-point. The module of
/// the result is null, after a diagnostic, if the text cannot be parsed.
RandomProgram readProgram(const std::string& text, Type floatType);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMPROGRAM_H_
