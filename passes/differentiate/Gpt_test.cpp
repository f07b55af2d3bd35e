// The gradients of a whole GPT, as its generator writes it, compared with
// central differences in double precision.

#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "passes/differentiate/testing/Gradients.h"

namespace sbp {
namespace {

TEST(GptTest, GradientsEqualCentralDifferences) {
  std::ifstream file("passes/differentiate/gpt_f64.mlir");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty());

  interpreter::TestContext context;
  interpreter::Program program(context, text.str());
  expectGradientsOfDifferences(program);
}

}  // namespace
}  // namespace sbp
