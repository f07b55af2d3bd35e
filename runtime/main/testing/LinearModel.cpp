#include "runtime/main/testing/LinearModel.h"

namespace sbp::program::testing {
namespace {

using plan::CollectiveTask;
using plan::Component;
using plan::ElementType;
using plan::KernelTask;

template <typename T>
T* as(void* buffer) {
  return static_cast<T*>(buffer);
}

template <int64_t batch, int64_t features>
void multiply(void* const* buffers) {
  const float* x = as<float>(buffers[0]);
  const float* w = as<float>(buffers[1]);
  float* p = as<float>(buffers[2]);
  for (int64_t i = 0; i < batch; ++i) {
    p[i] = 0;
    for (int64_t j = 0; j < features; ++j) p[i] += x[i * features + j] * w[j];
  }
}

template <int64_t batch>
void lossAndError(void* const* buffers) {
  const float* p = as<float>(buffers[0]);
  const float* t = as<float>(buffers[1]);
  float* loss = as<float>(buffers[2]);
  float* error = as<float>(buffers[3]);
  *loss = 0;
  for (int64_t i = 0; i < batch; ++i) {
    *loss += (p[i] - t[i]) * (p[i] - t[i]) / kBatch;
    error[i] = 2 * (p[i] - t[i]) / kBatch;
  }
}

template <int64_t batch, int64_t features>
void gradient(void* const* buffers) {
  const float* x = as<float>(buffers[0]);
  const float* error = as<float>(buffers[1]);
  float* g = as<float>(buffers[2]);
  for (int64_t j = 0; j < features; ++j) {
    g[j] = 0;
    for (int64_t i = 0; i < batch; ++i) g[j] += x[i * features + j] * error[i];
  }
}

template <int64_t features>
void update(void* const* buffers) {
  const float* g = as<float>(buffers[0]);
  const float rate = *as<float>(buffers[1]);
  float* m = as<float>(buffers[2]);
  float* w = as<float>(buffers[3]);
  for (int64_t j = 0; j < features; ++j) {
    m[j] = 0.9f * m[j] + g[j];
    w[j] -= rate * m[j];
  }
}

void scoreNextByte(void* const* buffers) {
  const int32_t* tokens = as<int32_t>(buffers[0]);
  float* logits = as<float>(buffers[1]);
  for (int64_t i = 0; i < kLength; ++i)
    for (int64_t v = 0; v < kVocabulary; ++v)
      logits[i * kVocabulary + v] = v == (tokens[i] + 1) % 256 ? 5.0f : 0.0f;
}

template <int64_t batch, int64_t features>
std::vector<SbpKernel> kernelsFor() {
  return {multiply<batch, features>, lossAndError<batch>,
          gradient<batch, features>, update<features>, scoreNextByte};
}

enum Kernel : int64_t {
  kMultiply,
  kLossAndError,
  kGradient,
  kUpdate,
  kScoreNextByte
};

// Offsets of buffers: first parameters, then the buffers of train_step and
// loss. The buffers of next use the same memory as these.
enum Buffer : int64_t {
  kW = 0,
  kM = 64,
  kPersistent = 128,
  kX = 128,
  kT = 256,
  kRate = 320,
  kTerms = 384,  // terms of p
  kP = 448,
  kLoss = 512,
  kError = 576,
  kGradientTerms = 640,
  kG = 704,
  kArena = 768,
  kTokens = 128,
  kLogits = 192,
  kSampleArena = kLogits + kLength * kVocabulary * 4,
};

constexpr Component kBroadcast{Component::Kind::kBroadcast, 0,
                               plan::ReductionKind::kSum};
constexpr Component kPartial{Component::Kind::kPartial, 0,
                             plan::ReductionKind::kSum};

Component split(int64_t dim) {
  return {Component::Kind::kSplit, dim, plan::ReductionKind::kSum};
}

CollectiveTask allReduce(int64_t axis, int64_t extent, int64_t in,
                         int64_t out) {
  CollectiveTask task;
  task.axes = {axis};
  task.inShape = task.outShape = {extent};
  task.in = in;
  task.out = out;
  return task;
}

}  // namespace

plan::Plan linearPlan(int64_t data, int64_t model) {
  constexpr ElementType kF32 = ElementType::kF32;
  plan::Plan plan;
  plan.model = "linear";
  plan.groups = {plan::Group{{"data", data}, {"model", model}}};
  const int64_t samples = kBatch / data, features = kFeatures / model;
  const plan::LocalType scalar{kF32, {}}, ofSample{kF32, {samples}},
      ofFeature{kF32, {features}}, ofBoth{kF32, {samples, features}};
  plan.kernels = {{"multiply", "multiply", {ofBoth, ofFeature}, {ofSample}},
                  {"loss_and_error",
                   "loss_and_error",
                   {ofSample, ofSample},
                   {scalar, ofSample}},
                  {"gradient", "gradient", {ofBoth, ofSample}, {ofFeature}},
                  {"update",
                   "update",
                   {ofFeature, scalar, ofFeature, ofFeature},
                   {ofFeature, ofFeature}},
                  {"score_next_byte",
                   "score_next_byte",
                   {{ElementType::kI32, {kLength}}},
                   {{kF32, {kLength, kVocabulary}}}}};
  const std::vector<Component> ofFeatures = {kBroadcast, split(0)};
  const std::vector<Component> ofSamples = {split(0), kBroadcast};
  plan.parameters = {{{"w", kF32, {kFeatures}, ofFeatures},
                      {plan::Initializer::Kind::kNormal, 0, 1},
                      false},
                     {{"w.momentum", kF32, {kFeatures}, ofFeatures}, {}, true}};
  const plan::Tensor x{"x", kF32, {kBatch, kFeatures}, {split(0), split(1)}};
  const plan::Tensor t{"t", kF32, {kBatch}, ofSamples};
  const plan::Tensor rate{"lr", kF32, {}, {kBroadcast, kBroadcast}};
  const plan::Tensor loss{"loss", kF32, {}, {kPartial, kBroadcast}};
  const plan::Tensor p{"p", kF32, {kBatch}, ofSamples};
  const plan::Tensor tokens{
      "tokens", ElementType::kI32, {1, kLength}, {kBroadcast, kBroadcast}};
  const plan::Tensor logits{
      "logits", kF32, {1, kLength, kVocabulary}, {kBroadcast, kBroadcast}};
  plan.entries = {{"train_step", {x, t, rate}, {loss}},
                  {"loss", {x, t}, {loss, p}},
                  {"next", {tokens}, {logits}}};

  const std::vector<plan::Task> forward = {
      KernelTask{kMultiply, {kX, kW, kTerms}},
      allReduce(1, kBatch / data, kTerms, kP),
      KernelTask{kLossAndError, {kP, kT, kLoss, kError}}};
  std::vector<plan::Task> step = forward;
  step.push_back(KernelTask{kGradient, {kX, kError, kGradientTerms}});
  step.push_back(allReduce(0, kFeatures / model, kGradientTerms, kG));
  const int64_t firstUpdate = step.size();
  step.push_back(KernelTask{kUpdate, {kG, kRate, kM, kW, kM, kW}});
  plan::Program program;
  for (int64_t rank = 0; rank < data * model; ++rank)
    program.ranks.push_back(rank);
  program.persistentBytes = kPersistent;
  program.parameters = {kW, kM};
  program.entries = {{kArena,
                      {kX, kT, kRate},
                      {kLoss},
                      step,
                      firstUpdate,
                      {{kF32, kG, features, /*copyAxes=*/{0}}},
                      {{"train_step"}}},
                     {kArena,
                      {kX, kT},
                      {kLoss, kP},
                      forward,
                      int64_t(forward.size()),
                      {},
                      {{"loss"}}},
                     {kSampleArena,
                      {kTokens},
                      {kLogits},
                      {KernelTask{kScoreNextByte, {kTokens, kLogits}}},
                      /*firstUpdate=*/1,
                      {},
                      {{"next"}}}};
  plan.programs = {program};
  return plan;
}

std::vector<SbpKernel> linearKernels(int64_t data, int64_t model) {
  if (data == 1)
    return model == 1 ? kernelsFor<kBatch, kFeatures>()
                      : kernelsFor<kBatch, kFeatures / 2>();
  return model == 1 ? kernelsFor<kBatch / 2, kFeatures>()
                    : kernelsFor<kBatch / 2, kFeatures / 2>();
}

}  // namespace sbp::program::testing
