// Measures the speed of contractions, compared with OpenBLAS and the CPU's
// peak.
//
//   bazel run //codegen/cpu/contraction:ContractionBenchmark
//   bazel run //codegen/cpu/contraction:ContractionBenchmark -- x86-64-v3
//
// The argument names the CPU to generate code for; without one, it is this CPU.
// Uses one thread, and reports the best of several runs. All columns come from
// one process, because only ratios within a run are comparable on a shared
// machine. OpenBLAS is loaded at run time, and left out if it is not installed.
// Environment variables that might make it use slower kernels are unset first.

#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "codegen/cpu/KernelFunction.h"
#include "codegen/cpu/LoadedKernels.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/cpu/contraction/BuildContraction.h"
#include "codegen/cpu/testing/BestSeconds.h"
#include "codegen/kernels/AlignedBuffer.h"
#include "codegen/kernels/Contraction.h"
#include "codegen/kernels/KernelBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cpu {
namespace {

/// A matrix product C[m,n] = sum over k of A * B, with each input transposed or
/// not.
struct Product {
  const char* name;
  const char* equation;
  bool isLeftTransposed, isRightTransposed;
};

constexpr Product kProducts[] = {
    {"NN", "ik,kj->ij", false, false},
    {"NT", "ik,jk->ij", false, true},
    {"TN", "ki,kj->ij", true, false},
};

struct Size {
  int64_t m, n, k;
};

// Square products, and the products of transformer layers of width 384 and 768
// with a few thousand tokens: qkv and projection, up, down, the gradient of a
// weight, scores and values of one head.
constexpr Size kSizes[] = {
    {256, 256, 256},   {512, 512, 512},   {1024, 1024, 1024}, {2048, 384, 384},
    {2048, 1536, 384}, {2048, 384, 1536}, {384, 1536, 2048},  {2048, 768, 768},
    {2048, 3072, 768}, {2048, 768, 3072}, {768, 3072, 2048},  {256, 8192, 768},
    {256, 256, 64},    {256, 64, 256},    {2048, 64, 384},    {1000, 1001, 999},
    {1, 4096, 1024},   {4096, 1, 1024},
};

using CblasSgemm = void (*)(int, int, int, int, int, int, float, const float*,
                            int, const float*, int, float, float*, int);

CblasSgemm loadOpenBlas() {
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("OPENBLAS_L2_SIZE");
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  void* library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (!library) return nullptr;
  return reinterpret_cast<CblasSgemm>(dlsym(library, "cblas_sgemm"));
}

std::unique_ptr<LoadedKernels> load(
    mlir::MLIRContext& context, const Target& target,
    llvm::ArrayRef<int64_t> sizes,
    llvm::function_ref<void(KernelBuilder&, llvm::ArrayRef<ElementRef>)> body) {
  auto loc = mlir::UnknownLoc::get(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  llvm::SmallVector<BufferType> buffers;
  for (int64_t size : sizes)
    buffers.push_back({mlir::Float32Type::get(&context), size});
  addKernelFunction(*module, loc, "kernel", buffers, body);
  return LoadedKernels::compile(*module, target);
}

/// Returns the FLOP/s of independent multiply-adds that never wait for memory.
double measurePeak(mlir::MLIRContext& context, const Target& target) {
  constexpr int64_t kSteps = 200000;
  constexpr int64_t kAccumulators = 12;
  int64_t lanes = target.lanes(sizeof(float));
  int64_t size = kAccumulators * lanes;
  auto kernels =
      load(context, target, {size}, [&](KernelBuilder& builder, auto buffers) {
        llvm::SmallVector<mlir::Value> sums;
        for (int64_t i = 0; i < kAccumulators; ++i)
          sums.push_back(
              builder.loadVector(builder.at(buffers[0], i * lanes), lanes));
        mlir::Value factor = sums[0];
        sums = builder.loop(
            builder.index(0), builder.index(kSteps), 1, sums,
            [&](mlir::Value, mlir::ValueRange carried) {
              llvm::SmallVector<mlir::Value> next;
              for (mlir::Value sum : carried)
                next.push_back(builder.multiplyAdd(sum, factor, factor));
              return next;
            });
        for (int64_t i = 0; i < kAccumulators; ++i)
          builder.storeVector(sums[i], builder.at(buffers[0], i * lanes));
      });
  AlignedBuffer<float> buffer(size);
  std::fill(buffer.begin(), buffer.end(), 0.5f);
  double seconds = bestSeconds([&] { (*kernels)["kernel"]({buffer.data()}); });
  return 2.0 * kSteps * size / seconds;
}

/// Returns whether some elements of C are close to sums in double precision.
bool isCorrect(const Product& product, Size size, const float* a,
               const float* b, const float* c) {
  for (int64_t sample = 0; sample < 200; ++sample) {
    int64_t i = sample * 7919 % size.m;
    int64_t j = sample * 104729 % size.n;
    double sum = 0;
    for (int64_t k = 0; k < size.k; ++k)
      sum +=
          static_cast<double>(product.isLeftTransposed ? a[k * size.m + i]
                                                       : a[i * size.k + k]) *
          (product.isRightTransposed ? b[j * size.k + k] : b[k * size.n + j]);
    if (std::abs(sum - c[i * size.n + j]) > 1e-5 * std::sqrt(size.k) + 1e-5)
      return false;
  }
  return true;
}

int run(llvm::StringRef cpu) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                      mlir::vector::VectorDialect>();
  mlir::FailureOr<Target> found = lookUpTarget(
      cpu, [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  if (mlir::failed(found)) return 1;
  const Target& target = *found;
  CblasSgemm sgemm = loadOpenBlas();
  double logOfRatios = 0;
  int numRatios = 0;
  llvm::outs() << llvm::formatv("{0,-22}{1,9}{2,9}{3,9}{4,9}\n", "m x n x k",
                                "GF/s", "BLAS", "ratio", "of peak");
  for (Size size : kSizes)
    for (const Product& product : kProducts) {
      AlignedBuffer<float> a(size.m * size.k), b(size.k * size.n),
          c(size.m * size.n), reference(size.m * size.n);
      for (int64_t i = 0; i < a.size(); ++i)
        a[i] = (i * 37 % 101) / 101.0f - 0.5f;
      for (int64_t i = 0; i < b.size(); ++i)
        b[i] = (i * 53 % 103) / 103.0f - 0.5f;
      std::fill(c.begin(), c.end(), 0.0f);
      std::fill(reference.begin(), reference.end(), 0.0f);

      auto shape = [](bool isTransposed, int64_t rows, int64_t columns) {
        if (isTransposed) std::swap(rows, columns);
        return std::vector<int64_t>{rows, columns};
      };
      Contraction contraction = contractionOf(
          product.equation, shape(product.isLeftTransposed, size.m, size.k),
          shape(product.isRightTransposed, size.k, size.n));
      Blocking blocking = chooseBlocking(contraction, target, sizeof(float));
      AlignedBuffer<float> scratch(blocking.scratchElements());
      std::fill(scratch.begin(), scratch.end(), 0.0f);
      auto kernels =
          load(context, target, {a.size(), b.size(), c.size(), scratch.size()},
               [&](KernelBuilder& builder, llvm::ArrayRef<ElementRef> buffers) {
                 buildContraction(builder, contraction, blocking, buffers[0],
                                  buffers[1], buffers[2], buffers[3]);
               });
      if (!kernels) return 1;
      double flops = 2.0 * size.m * size.n * size.k;
      double peak = measurePeak(context, target);
      double ours = flops / bestSeconds([&] {
                      (*kernels)["kernel"](
                          {a.data(), b.data(), c.data(), scratch.data()});
                    });
      double blas = 0;
      constexpr int kRowMajor = 101, kAsIs = 111, kTransposed = 112;
      if (sgemm)
        blas =
            flops / bestSeconds([&] {
              sgemm(kRowMajor, product.isLeftTransposed ? kTransposed : kAsIs,
                    product.isRightTransposed ? kTransposed : kAsIs, size.m,
                    size.n, size.k, 1, a.data(),
                    product.isLeftTransposed ? size.m : size.k, b.data(),
                    product.isRightTransposed ? size.k : size.n, 0,
                    reference.data(), size.n);
            });
      if (!isCorrect(product, size, a.data(), b.data(), c.data())) {
        llvm::errs() << "wrong result\n";
        return 1;
      }
      if (sgemm) {
        logOfRatios += std::log(ours / blas);
        ++numRatios;
      }
      llvm::outs() << llvm::formatv(
          "{0,-22}{1,9:f0}{2,9:f0}{3,9:f2}{4,8:f0}%\n",
          llvm::formatv("{0} x {1} x {2} {3}", size.m, size.n, size.k,
                        product.name)
              .str(),
          ours * 1e-9, blas * 1e-9, sgemm ? ours / blas : 0.0,
          100 * ours / peak);
      llvm::outs().flush();
    }
  if (numRatios)
    llvm::outs() << llvm::formatv("geometric mean of ratios: {0:f2}\n",
                                  std::exp(logOfRatios / numRatios));
  return 0;
}

}  // namespace
}  // namespace sbp::cpu

int main(int argc, char** argv) {
  return sbp::cpu::run(argc > 1 ? argv[1] : "host");
}
