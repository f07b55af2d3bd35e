// Tests that the simulator runs a correct kernel, and reports the error of
// kernels that differ from it in one detail.

#include "codegen/cuda/testing/simt/Simulator.h"

#include <string>
#include <vector>

#include "codegen/cuda/DeviceCode.h"
#include "codegen/cuda/LowerToLlvm.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

namespace sbp::cuda::simt {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kThreads = 64;
constexpr int64_t kBlocks = 3;

/// The details of the kernel @sums in which tests put an error.
struct KernelDetails {
  std::string barrier = "gpu.barrier";
  std::string distance = "16";
  std::string element = "%i";
  std::string result = "%block";
  std::string slot = "%warp";
};

/// Returns the text of @sums, which adds up 64 elements of %in per block: over
/// warps by shuffles, and over the block in shared memory.
std::string sums(const KernelDetails& details) {
  return fmt::format(R"(
    gpu.module @kernels {{
      gpu.func @sums(%in: memref<192xf32>, %out: memref<3xf32>)
          workgroup(%shared: memref<2xf32, #gpu.address_space<workgroup>>)
          kernel attributes {{gpu.known_block_size = array<i32: 64, 1, 1>}} {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        %width = arith.constant 32 : i32
        %thread = gpu.thread_id x
        %block = gpu.block_id x
        %first = arith.muli %block, %c64 : index
        %i = arith.addi %first, %thread : index
        %over = arith.addi %i, %c1 : index
        %x0 = memref.load %in[{2}] : memref<192xf32>
        %d0 = arith.constant {1} : i32
        %y0, %ok0 = gpu.shuffle xor %x0, %d0, %width : f32
        %x1 = arith.addf %x0, %y0 : f32
        %d1 = arith.constant 8 : i32
        %y1, %ok1 = gpu.shuffle xor %x1, %d1, %width : f32
        %x2 = arith.addf %x1, %y1 : f32
        %d2 = arith.constant 4 : i32
        %y2, %ok2 = gpu.shuffle xor %x2, %d2, %width : f32
        %x3 = arith.addf %x2, %y2 : f32
        %d3 = arith.constant 2 : i32
        %y3, %ok3 = gpu.shuffle xor %x3, %d3, %width : f32
        %x4 = arith.addf %x3, %y3 : f32
        %d4 = arith.constant 1 : i32
        %y4, %ok4 = gpu.shuffle xor %x4, %d4, %width : f32
        %x5 = arith.addf %x4, %y4 : f32
        %warp = arith.divui %thread, %c32 : index
        %nextWarp = arith.addi %warp, %c1 : index
        %lane = arith.remui %thread, %c32 : index
        %isFirst = arith.cmpi eq, %lane, %c0 : index
        scf.if %isFirst {{
          memref.store %x5, %shared[{4}] : memref<2xf32, #gpu.address_space<workgroup>>
        }}
        {0}
        %a = memref.load %shared[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
        %b = memref.load %shared[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
        %sum = arith.addf %a, %b : f32
        %isOne = arith.cmpi eq, %thread, %c0 : index
        scf.if %isOne {{
          memref.store %sum, %out[{3}] : memref<3xf32>
        }}
        gpu.return
      }}
    }})",
                     details.barrier, details.distance, details.element,
                     details.result, details.slot);
}

class SimulatorTest : public ::testing::Test {
 protected:
  SimulatorTest() {
    context_.loadDialect<mlir::arith::ArithDialect, mlir::gpu::GPUDialect,
                         mlir::math::MathDialect, mlir::memref::MemRefDialect,
                         mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect,
                         mlir::vector::VectorDialect>();
  }

  /// Compiles the kernels of `text`.
  std::unique_ptr<Simulator> load(const std::string& text) {
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    EXPECT_TRUE(module_) << text;
    auto kernels = *module_->getOps<mlir::gpu::GPUModuleOp>().begin();
    EXPECT_TRUE(succeeded(lowerToLlvm(kernels)));
    FailureOr<DeviceCode> code = DeviceCode::of(kernels, chips().front());
    EXPECT_TRUE(succeeded(code));
    FailureOr<std::string> ptx = code->ptx(module_->getLoc());
    EXPECT_TRUE(succeeded(ptx));
    ptx_ = *ptx;
    absl::StatusOr<std::unique_ptr<Simulator>> simulator =
        Simulator::load(code->module());
    EXPECT_TRUE(simulator.ok()) << simulator.status();
    return simulator.ok() ? std::move(*simulator) : nullptr;
  }

  /// Runs @sums with `details` in `order`; returns its output, or its error.
  absl::StatusOr<std::vector<float>> run(const KernelDetails& details,
                                         Order order) {
    std::unique_ptr<Simulator> simulator = load(sums(details));
    std::vector<float> in(kBlocks * kThreads), out(kBlocks);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    absl::Status status =
        simulator->run("sums", kBlocks, kThreads,
                       {{in.data(), int64_t(in.size() * sizeof(float))},
                        {out.data(), int64_t(out.size() * sizeof(float))}},
                       order);
    if (!status.ok()) return status;
    return out;
  }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::string ptx_;
};

const std::vector<float> kSums = {2016, 6112, 10208};

TEST_F(SimulatorTest, RunsKernelsInAnyOrderOfThreads) {
  for (const Order order : kOrders) {
    const auto out = run({}, order);
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ(*out, kSums);
  }
  EXPECT_THAT(ptx_, HasSubstr(".version 7.0"));
  EXPECT_THAT(ptx_, HasSubstr(".target sm_80"));
  EXPECT_THAT(ptx_, HasSubstr("shfl.sync.bfly.b32"));
  EXPECT_THAT(ptx_, HasSubstr("bar.sync"));
}

TEST_F(SimulatorTest, SeesThatABarrierIsMissingWhateverTheOrder) {
  for (const Order order : kOrders)
    EXPECT_THAT(std::string(run({/*barrier=*/""}, order).status().message()),
                HasSubstr("of shared memory, which another one, "));
  EXPECT_THAT(
      std::string(run({/*barrier=*/""}, Order::Ascending).status().message()),
      HasSubstr("sums, block 0: thread 32 stores 4 bytes at byte 4 of shared "
                "memory, which another one, thread 0 of block 0, accesses with "
                "no barrier between them"));
}

TEST_F(SimulatorTest, SeesThatTwoBlocksStoreToOnePlace) {
  KernelDetails details;
  details.result = "%c1";
  for (const Order order : kOrders)
    EXPECT_THAT(std::string(run(details, order).status().message()),
                HasSubstr("sums, block 1: thread 0 stores 4 bytes at byte 4 of "
                          "argument 1, which another one, thread 0 of block 0, "
                          "accesses with no barrier between them"));
}

TEST_F(SimulatorTest, SeesAnAccessOneElementTooFar) {
  KernelDetails details;
  details.element = "%over";
  const auto out = run(details, Order::Ascending);
  EXPECT_THAT(std::string(out.status().message()),
              HasSubstr("sums, block 2: thread 63 loads 4 bytes at byte 768 of "
                        "argument 0, which has 768"));
}

TEST_F(SimulatorTest, SeesAnAccessBehindSharedMemory) {
  KernelDetails details;
  details.slot = "%nextWarp";
  const auto out = run(details, Order::Ascending);
  EXPECT_THAT(std::string(out.status().message()),
              HasSubstr("sums, block 0: thread 32 stores 4 bytes at byte 8 of "
                        "shared memory, which has 8"));
}

TEST_F(SimulatorTest, SeesThreadsThatWaitForOneAnotherForEver) {
  KernelDetails details;
  details.barrier =
      "%isInFirst = arith.cmpi ult, %thread, %c32 : index\n"
      "scf.if %isInFirst { gpu.barrier }";
  const auto out = run(details, Order::Ascending);
  EXPECT_THAT(std::string(out.status().message()),
              HasSubstr("threads wait for ever: 32 at a barrier (thread 0 "
                        "first), 0 for their warp (thread -1), 32 have ended "
                        "(thread 32)"));
}

TEST_F(SimulatorTest, SeesThatThreadsOfAWarpShuffleAtDifferentPlaces) {
  std::unique_ptr<Simulator> simulator = load(R"(
    gpu.module @kernels {
      gpu.func @halves(%in: memref<32xf32>, %out: memref<32xf32>)
          kernel attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
        %c16 = arith.constant 16 : index
        %width = arith.constant 32 : i32
        %d1 = arith.constant 1 : i32
        %d2 = arith.constant 2 : i32
        %thread = gpu.thread_id x
        %x = memref.load %in[%thread] : memref<32xf32>
        %isLow = arith.cmpi ult, %thread, %c16 : index
        %y = scf.if %isLow -> f32 {
          %a, %ok = gpu.shuffle xor %x, %d1, %width : f32
          scf.yield %a : f32
        } else {
          %b, %ok = gpu.shuffle xor %x, %d2, %width : f32
          scf.yield %b : f32
        }
        memref.store %y, %out[%thread] : memref<32xf32>
        gpu.return
      }
    })");
  float in[32] = {}, out[32] = {};
  const absl::Status status =
      simulator->run("halves", 1, 32, {{in, sizeof(in)}, {out, sizeof(out)}},
                     Order::Ascending);
  EXPECT_EQ(std::string(status.message()),
            "halves, block 0: threads 0 and 16 of a warp come to different "
            "shuffles at once");
}

TEST_F(SimulatorTest, SeesAMisalignedAccess) {
  std::unique_ptr<Simulator> simulator = load(R"(
    gpu.module @kernels {
      gpu.func @copy(%in: memref<129xf32>, %out: memref<128xf32>)
          kernel attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %thread = gpu.thread_id x
        %i = arith.muli %thread, %c4 : index
        %next = arith.addi %i, %c1 : index
        %v = vector.load %in[%next] {alignment = 16} : memref<129xf32>, vector<4xf32>
        vector.store %v, %out[%i] {alignment = 16} : memref<128xf32>, vector<4xf32>
        gpu.return
      }
    })");
  EXPECT_THAT(ptx_, HasSubstr("ld.global.v4"));
  alignas(16) float in[132] = {}, out[128] = {};
  const absl::Status status = simulator->run(
      "copy", 1, 32, {{in, 129 * 4}, {out, sizeof(out)}}, Order::Ascending);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("loads 16 bytes at an address that is no multiple of "
                        "16"));
}

}  // namespace
}  // namespace sbp::cuda::simt
