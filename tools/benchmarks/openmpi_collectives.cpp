// Measures OpenMPI's collectives with the sizes, buffers and method of
// collective_benchmark (runtime/communication), to which they are compared.
//
//   mpirun -n 4 openmpi_collectives REPETITIONS BYTES...
//
// Rank 0 prints one JSON object per collective and size.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

constexpr int kWrittenFrom = 64 * 1024;

struct Candidate {
  const char* name;
  std::function<void()> run;
};

// Returns the collectives of `bytes` bytes of f32 on `numRanks` ranks.
std::vector<Candidate> candidatesOf(float* in, float* out, int bytes,
                                    int numRanks) {
  const int count = bytes / 4;
  const int part = count / numRanks;
  MPI_Comm world = MPI_COMM_WORLD;
  return {
      {"all_reduce",
       [=] { MPI_Allreduce(in, out, count, MPI_FLOAT, MPI_SUM, world); }},
      {"all_reduce_in_place",
       [=] {
         MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_FLOAT, MPI_SUM, world);
       }},
      {"reduce_scatter",
       [=] {
         MPI_Reduce_scatter_block(in, out, part, MPI_FLOAT, MPI_SUM, world);
       }},
      {"all_gather",
       [=] {
         MPI_Allgather(in, part, MPI_FLOAT, out, part, MPI_FLOAT, world);
       }},
      {"all_to_all",
       [=] { MPI_Alltoall(in, part, MPI_FLOAT, out, part, MPI_FLOAT, world); }},
  };
}

// Returns the seconds of one call: the least over the repetitions.
double measure(const Candidate& candidate, float* in, int bytes,
               int numRepetitions) {
  const int numCalls = bytes < kWrittenFrom ? 1000 : 1;
  double best = 1e30;
  for (int i = 0; i < numRepetitions; ++i) {
    if (bytes >= kWrittenFrom) std::memset(in, i, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int call = 0; call < numCalls; ++call) candidate.run();
    best = std::min(best, (MPI_Wtime() - begin) / numCalls);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, numRanks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &numRanks);
  const int numRepetitions = argc > 1 ? std::atoi(argv[1]) : 1;
  for (int i = 2; i < argc; ++i) {
    const int bytes = std::atoi(argv[i]);
    std::vector<float> in(bytes / 4), out(bytes / 4);
    for (const Candidate& candidate :
         candidatesOf(in.data(), out.data(), bytes, numRanks)) {
      const double seconds =
          measure(candidate, in.data(), bytes, numRepetitions);
      if (rank != 0) continue;
      std::printf(
          "{\"collective\": \"%s\", \"bytes\": %d, \"seconds\": %.9g}\n",
          candidate.name, bytes, seconds);
    }
  }
  MPI_Finalize();
}
