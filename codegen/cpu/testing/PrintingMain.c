/* A minimal runtime (runtime/Abi.h): runs the first kernel on one buffer with 1, 2, 3, 4, and
   prints the plan and the buffer. */

#include <stdio.h>

extern const char sbp_plan[];
extern void (*const sbp_kernels[])(void* const* buffers);

int main(void) {
  float values[4] __attribute__((aligned(64))) = {1, 2, 3, 4};
  void* buffers[] = {values};
  sbp_kernels[0](buffers);
  printf("%s: %g %g %g %g\n", sbp_plan, values[0], values[1], values[2],
         values[3]);
  return 0;
}
