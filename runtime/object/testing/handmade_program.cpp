// A hand-written program object (Abi.h): one rank, and an entry that doubles
// its input.

#include "runtime/Abi.h"

namespace {

void doubleAll(void* const* buffers) {
  const float* in = static_cast<const float*>(buffers[0]);
  float* out = static_cast<float*>(buffers[1]);
  for (int i = 0; i < 4; ++i) out[i] = 2 * in[i];
}

}  // namespace

extern "C" {

const char sbp_plan[] = R"({
  "model": "handmade", "compiler": "by hand", "groups": [{"name": "one", "axes": []}],
  "parameters": [],
  "kernels": [{"name": "double", "op": "double",
    "operands": [{"type": "f32", "shape": [4]}],
    "results": [{"type": "f32", "shape": [4]}]}],
  "entries": [{"name": "double",
    "inputs": [{"name": "x", "type": "f32", "shape": [4], "placement": []}],
    "outputs": [{"name": "y", "type": "f32", "shape": [4], "placement": []}]}],
  "programs": [{"ranks": [0], "persistentBytes": 0, "parameters": [],
    "entries": [{"arenaBytes": 128, "inputs": [0], "outputs": [64],
      "tasks": [{"kernel": 0, "buffers": [0, 64], "call": 0}],
      "firstUpdate": 1, "gradients": [],
      "calls": [{"function": "double", "caller": -1}], "loops": []}]}]
})";

const SbpKernel sbp_kernels[] = {doubleAll};

const char* const sbp_cpu[] = {"x86-64", nullptr};

const SbpImage sbp_images[] = {{nullptr, nullptr}};

}  // extern "C"
