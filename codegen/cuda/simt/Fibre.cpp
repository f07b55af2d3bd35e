#include "codegen/cuda/simt/Fibre.h"

#include <cstdint>
#include <cstdlib>

// Saves the registers that a function has to keep on the stack, and the stack
// pointer at *from; then takes both from what was saved at `to`.
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

/// The fibre that is running; null outside of all.
thread_local Fibre* running = nullptr;

}  // namespace

Fibre::Fibre() : stack_(new std::byte[kStackBytes]) {}

void Fibre::restart(void (*body)(void*), void* context) {
  body_ = body;
  context_ = context;
  hasEnded_ = false;
  // As if enter() had been called by nobody: behind the return address the
  // stack is aligned to 16 bytes, as the calling convention wants it.
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
  std::abort();  // nobody resumes a fibre that has ended
}

}  // namespace sbp::cuda::simt
