#include "codegen/kernels/testing/KernelsTest.h"

#include <optional>

#include "absl/strings/str_replace.h"
#include "codegen/kernels/testing/TestedOps.h"

namespace sbp {

std::string nameOfTarget(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

bool KernelsTest::canWriteInPlace(mlir::Operation* op) const {
  const std::optional<KernelNeeds> needs = target_->kernelTarget().lookUp(op);
  return needs && !needs->inPlace.empty();
}

void KernelsTest::expectKernelsAgree(std::vector<std::string> functions,
                                     double tolerance, InPlace inPlace) {
  for (std::string& function : functions)
    function =
        absl::StrReplaceAll(function, {{"f32", target_->floatElement()}});
  const TestedOps tested(context, functions, {specialValues, specialIntegers});
  const std::vector<mlir::Operation*> ops = tested.ops();
  std::unique_ptr<RunnableKernels> kernels = target_->compile(ops, inPlace);
  ASSERT_TRUE(kernels) << tested.error();
  for (size_t op = 0; op < ops.size(); ++op)
    EXPECT_EQ(tested.check(*kernels, op, tolerance), "") << functions[op];
}

}  // namespace sbp
