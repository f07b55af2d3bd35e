#include "codegen/cuda/testing/Mutation.h"

#include <optional>
#include <utility>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace sbp::cuda {
namespace {

using Kind = Mutation::Kind;

constexpr unsigned kSharedSpace = 3;
// Numbers of the operands of a shuffle.
constexpr unsigned kMask = 0, kLane = 2;

bool calls(const llvm::Instruction& instruction, llvm::StringRef prefix) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with(prefix);
}

/// Returns the lane, or distance, of a shuffle if it is constant, or null.
const llvm::ConstantInt* laneOf(const llvm::Instruction& shuffle) {
  return llvm::dyn_cast<llvm::ConstantInt>(shuffle.getOperand(kLane));
}

/// Returns the number of an operand that is a constant other than zero.
std::optional<unsigned> constantIn(const llvm::Instruction& instruction) {
  for (unsigned i = 0; i < 2; ++i)
    if (auto* constant =
            llvm::dyn_cast<llvm::Constant>(instruction.getOperand(i));
        constant && !constant->isZeroValue())
      return i;
  return std::nullopt;
}

/// Returns the kinds of mutations that are possible at `instruction`.
std::vector<Kind> kindsOf(const llvm::Instruction& instruction) {
  if (calls(instruction, "llvm.nvvm.barrier")) return {Kind::DroppedBarrier};
  if (calls(instruction, "llvm.nvvm.shfl.sync")) {
    if (laneOf(instruction)) return {Kind::ShuffleMask, Kind::ShuffleLane};
    return {Kind::ShuffleMask};
  }
  if (const llvm::Value* pointer =
          llvm::getLoadStorePointerOperand(&instruction)) {
    const llvm::Value* memory = llvm::getUnderlyingObject(pointer);
    return {memory->getType()->getPointerAddressSpace() == kSharedSpace
                ? Kind::SharedAddress
                : Kind::GlobalAddress};
  }
  // Most of these calls are parts of polynomials. Products and sums of matrices
  // are contracted only later.
  if (calls(instruction, "llvm.fma.")) return {Kind::Approximation};
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FMul:
    case llvm::Instruction::FDiv:
      return {Kind::Operation};
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
      if (constantIn(instruction)) return {Kind::Operation};
      [[fallthrough]];
    default:
      return {};
  }
}

/// Describes a kind of mutation.
std::string textOf(Kind kind) {
  switch (kind) {
    case Kind::DroppedBarrier:
      return "dropped";
    case Kind::ShuffleMask:
      return "of 31 threads";
    case Kind::ShuffleLane:
      return "to another lane";
    case Kind::SharedAddress:
    case Kind::GlobalAddress:
      return "one element too far";
    case Kind::Operation:
      return "another operation";
    case Kind::Approximation:
      return "a factor is far off";
  }
  llvm_unreachable("all kinds are above");
}

void shiftAddress(llvm::Instruction& access) {
  llvm::IRBuilder<> builder(&access);
  llvm::Type* element = llvm::getLoadStoreType(&access)->getScalarType();
  const unsigned number = llvm::isa<llvm::StoreInst>(access) ? 1 : 0;
  access.setOperand(number, builder.CreateConstGEP1_64(
                                element, access.getOperand(number), 1));
}

void multiplyOperand(llvm::Instruction& instruction, unsigned number,
                     double factor) {
  llvm::IRBuilder<> builder(&instruction);
  llvm::Value* operand = instruction.getOperand(number);
  instruction.setOperand(
      number, builder.CreateFMul(
                  operand, llvm::ConstantFP::get(operand->getType(), factor)));
}

void changeOperation(llvm::Instruction& instruction) {
  if (instruction.getOpcode() == llvm::Instruction::FAdd ||
      instruction.getOpcode() == llvm::Instruction::FSub)
    return multiplyOperand(instruction, *constantIn(instruction), 2);
  const auto other = instruction.getOpcode() == llvm::Instruction::FMul
                         ? llvm::Instruction::FAdd
                         : llvm::Instruction::FMul;
  llvm::ReplaceInstWithInst(&instruction, llvm::BinaryOperator::Create(
                                              other, instruction.getOperand(0),
                                              instruction.getOperand(1)));
}

void apply(Kind kind, llvm::Instruction& instruction) {
  const auto setInteger = [&](unsigned operand, uint32_t value) {
    instruction.setOperand(
        operand, llvm::ConstantInt::get(
                     instruction.getOperand(operand)->getType(), value));
  };
  switch (kind) {
    case Kind::DroppedBarrier:
      instruction.eraseFromParent();
      return;
    case Kind::ShuffleMask:
      return setInteger(kMask, 0x7fffffff);
    case Kind::ShuffleLane: {
      // A butterfly gets a distance that another step of the reduction has
      // already. With any other distance all lanes might still be combined.
      const auto lane =
          static_cast<uint32_t>(laneOf(instruction)->getZExtValue());
      const bool isButterfly = calls(instruction, "llvm.nvvm.shfl.sync.bfly");
      return setInteger(kLane, !isButterfly ? lane ^ 1
                               : lane > 1   ? lane / 2
                                            : 2);
    }
    case Kind::SharedAddress:
    case Kind::GlobalAddress:
      return shiftAddress(instruction);
    case Kind::Operation:
      return changeOperation(instruction);
    case Kind::Approximation:
      return multiplyOperand(instruction, 0, 64);
  }
}

}  // namespace

std::vector<Mutation> mutationsOf(const llvm::Module& code) {
  std::vector<Mutation> mutations;
  size_t number = 0;
  for (const llvm::Function& function : code)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      for (const Kind kind : kindsOf(instruction)) {
        std::string text;
        llvm::raw_string_ostream stream(text);
        instruction.print(stream);
        mutations.push_back({kind, number, textOf(kind) + ":" + text});
      }
      ++number;
    }
  return mutations;
}

std::unique_ptr<llvm::Module> mutated(const llvm::Module& code,
                                      const Mutation& mutation) {
  std::unique_ptr<llvm::Module> result = llvm::CloneModule(code);
  size_t number = 0;
  for (llvm::Function& function : *result)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (number++ == mutation.instruction) {
        apply(mutation.kind, instruction);
        return result;
      }
  llvm_unreachable("the mutation is of another module");
}

}  // namespace sbp::cuda
