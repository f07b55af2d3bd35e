// Figures of the GPUs that the stand-in for NVIDIA's driver plays.

#ifndef CODEGEN_CUDA_TESTING_DRIVER_FIGURES_H_
#define CODEGEN_CUDA_TESTING_DRIVER_FIGURES_H_

namespace sbp::cuda::driver {

/// Figures of a GPU that attributes state.
struct Figures {
  int capability;
  int multiprocessors, clockMhz, memoryMhz, memoryBits;
};

/// A100 and H100 of 80 GB, by their data sheets; B200; and L40S, an RTX card.
inline constexpr Figures kFigures[] = {{80, 108, 1410, 1593, 5120},
                                       {89, 142, 2520, 9001, 384},
                                       {90, 132, 1980, 2619, 5120},
                                       {100, 148, 1965, 3996, 8192}};

/// Returns the figures of a GPU; those of the next smaller capability if there
/// are none of its own.
inline const Figures& figuresOf(int capability) {
  const Figures* best = kFigures;
  for (const Figures& figures : kFigures)
    if (figures.capability <= capability) best = &figures;
  return *best;
}

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_FIGURES_H_
