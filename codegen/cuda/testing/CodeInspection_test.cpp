// Tests that the inspection finds each kind of fault, and nothing in correct
// code.

#include "codegen/cuda/testing/CodeInspection.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

namespace sbp::cuda {
namespace {

class CodeInspectionTest : public testing::Test {
 protected:
  /// Returns the fault of a text that begins with `head` and has a kernel with
  /// `lines` of PTX as its body.
  std::string faultOfText(const std::string& lines,
                          const std::string& head = kHead) const {
    const llvm::Module none("none", context_);
    return CodeInspection(*chipNamed("sm_80"), none,
                          head + ".visible .entry f(\n)\n{\n" + lines + "}\n")
        .fault();
  }

  /// Returns the fault of a module of `ir` with correct PTX.
  std::string faultOfModule(const std::string& ir) const {
    const std::unique_ptr<llvm::Module> code = parse(ir);
    return CodeInspection(*chipNamed("sm_80"), *code, kHead).fault();
  }

  /// Returns the fault of a kernel with one operand and one result, whose code
  /// is `ir` and whose PTX has the entries f and f_then1.
  std::string faultOfKernel(const std::string& ir,
                            std::vector<plan::Launch> launches = {
                                {"f"}}) const {
    const std::unique_ptr<llvm::Module> code = parse(ir);
    const std::string ptx =
        std::string(kHead) + ".visible .entry f(\n.visible .entry f_then1(\n";
    const OpKernel kernel{"f", std::move(launches), 0, /*results=*/{1}, {}};
    return CodeInspection(*chipNamed("sm_80"), *code, ptx).faultOf(kernel);
  }

  std::unique_ptr<llvm::Module> parse(const std::string& ir) const {
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> code =
        llvm::parseAssemblyString(ir, diagnostic, context_);
    EXPECT_TRUE(code) << diagnostic.getMessage().str();
    return code;
  }

  static constexpr const char* kHead = ".version 7.0\n.target sm_80\n";

  mutable llvm::LLVMContext context_;
};

TEST_F(CodeInspectionTest, FindsNothingInCodeThatIsRight) {
  EXPECT_EQ(faultOfText("\tld.param.b64 \t%rd1, [f_param_0];\n"
                        "\tld.global.nc.v4.b32 \t{%r1, %r2}, [%rd1];\n"
                        "\tst.shared.b32 \t[%rd2], %r1;\n"
                        "\tst.global.b32 \t[%rd1], %r1;\n"),
            "");
}

TEST_F(CodeInspectionTest, FindsAnotherVersion) {
  EXPECT_EQ(faultOfText("", ".version 7.8\n.target sm_80\n"),
            "the PTX for sm_80 has no line '.version 7.0'");
}

TEST_F(CodeInspectionTest, FindsAnotherChip) {
  EXPECT_EQ(faultOfText("", ".version 7.0\n.target sm_80a\n"),
            "the PTX for sm_80 has no line '.target sm_80'");
}

TEST_F(CodeInspectionTest, FindsAFunctionThatIsNotThere) {
  EXPECT_EQ(faultOfText(".extern .func (.param .b32 r) __nv_erff\n"),
            "the PTX calls a function that is not there");
}

TEST_F(CodeInspectionTest, FindsMemoryOfAThreadsOwn) {
  EXPECT_EQ(faultOfText("\t.local .align 4 .b8 \t__local_depot0[64];\n"),
            "a thread has memory of its own: .local .align 4 .b8 "
            "\t__local_depot0[64];");
  EXPECT_EQ(faultOfText("\tld.local.b32 \t%r1, [%rd1];\n"),
            "a thread has memory of its own: ld.local.b32 \t%r1, [%rd1];");
}

TEST_F(CodeInspectionTest, FindsAnAccessThatSaysNoMemory) {
  EXPECT_EQ(faultOfText("\tst.b32 \t[%rd1], %r1;\n"),
            "an access says no memory: st.b32 \t[%rd1], %r1;");
}

TEST_F(CodeInspectionTest, FindsAnAccessThatIsAlignedBetterThanItsMemory) {
  const auto module = [](const char* alignment) {
    return std::string("@s = internal addrspace(3) global [8 x float] undef") +
           alignment + R"(
    define void @f() {
      store <4 x float> zeroinitializer, ptr addrspace(3) @s, align 16
      ret void
    })";
  };
  EXPECT_EQ(faultOfModule(module(", align 16")), "");
  EXPECT_EQ(faultOfModule(module(", align 4")),
            "s is aligned to 4 bytes, and accessed as if to 16");
}

TEST_F(CodeInspectionTest, FollowsStoresToResults) {
  EXPECT_EQ(faultOfKernel(R"(
    define void @f(ptr %in, ptr %out) {
      %cast = addrspacecast ptr %out to ptr addrspace(1)
      %place = getelementptr float, ptr addrspace(1) %cast, i64 3
      store float 1.0, ptr addrspace(1) %place
      ret void
    })"),
            "");
}

TEST_F(CodeInspectionTest, FindsThatNothingIsStoredToAResult) {
  EXPECT_EQ(faultOfKernel(R"(
    define void @f(ptr %in, ptr %out) {
      store float 1.0, ptr %in
      ret void
    })"),
            "f stores nothing to its argument 1, a result");
}

TEST_F(CodeInspectionTest, OneOfTheLaunchesStores) {
  EXPECT_EQ(faultOfKernel(R"(
    define void @f(ptr %in, ptr %out) {
      ret void
    }
    define void @f_then1(ptr %in, ptr %out) {
      store float 1.0, ptr %out
      ret void
    })",
                          {{"f"}, {"f_then1"}}),
            "");
}

TEST_F(CodeInspectionTest, FindsThatALaunchHasNoCode) {
  EXPECT_EQ(faultOfKernel("", {{"g"}}), "the PTX has no entry g");
}

}  // namespace
}  // namespace sbp::cuda
