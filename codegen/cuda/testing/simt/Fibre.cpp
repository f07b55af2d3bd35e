#include "codegen/cuda/testing/simt/Fibre.h"

#include <cstdint>
#include <cstdlib>

// Pushes the callee-saved registers and stores the stack pointer to *from; then
// takes `to` as the stack pointer, pops the registers that were saved there,
// and returns to that stack's caller.
extern "C" void sbp_switch_stacks(void** from, void* to);

#if defined(__x86_64__)
asm(R"(
.text
.globl sbp_switch_stacks
.type sbp_switch_stacks, @function
sbp_switch_stacks:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size sbp_switch_stacks, . - sbp_switch_stacks
)");
#else
#error "stacks are switched on x86-64 only"
#endif

namespace sbp::cuda::simt {
namespace {

constexpr size_t kStackBytes = size_t{64} << 10;
constexpr int kSavedRegisters = 6;

/// The fibre that is running on this thread; null if none is.
thread_local Fibre* running = nullptr;

}  // namespace

Fibre::Fibre() : stack_(new std::byte[kStackBytes]) {}

void Fibre::restart(void (*body)(void*), void* context) {
  body_ = body;
  context_ = context;
  hasEnded_ = false;
  // Builds the stack that a call of enter() would have, with a null return
  // address. As the calling convention requires, the stack is aligned to 16
  // bytes before the return address is pushed.
  auto top = reinterpret_cast<uintptr_t>(stack_.get() + kStackBytes);
  auto* slot = reinterpret_cast<void**>(top & ~uintptr_t{15});
  *--slot = nullptr;
  *--slot = reinterpret_cast<void*>(&Fibre::enter);
  for (int i = 0; i < kSavedRegisters; ++i) *--slot = nullptr;
  own_ = slot;
}

void Fibre::resume() {
  running = this;
  sbp_switch_stacks(&other_, own_);
  running = nullptr;
}

void Fibre::pause() { sbp_switch_stacks(&own_, other_); }

void Fibre::enter() {
  Fibre& self = *running;
  self.body_(self.context_);
  self.hasEnded_ = true;
  self.pause();
  std::abort();  // a fibre that has ended must not be resumed
}

}  // namespace sbp::cuda::simt
