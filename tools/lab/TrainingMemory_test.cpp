// Values of Myelin's tables, and of ZeRO's figure 1.

#include "tools/lab/TrainingMemory.h"

#include <string>

#include "gtest/gtest.h"

namespace sbp::search::lab {
namespace {

/// A row of Myelin's table I: a model, and the grid that the paper ran.
struct Row {
  int64_t layers, hidden, heads, devices, microBatch, stages;
  double parameters, stateBytes, offloadedBytes;
  int64_t interval;
  double flops, seconds;
  int64_t chosen;
};

constexpr Row kTable1[] = {
    {48, 4512, 24, 48, 8, 6, 11.962e9, 39.87e9, 8.231e9, 8, 8.134e17, 271.1, 6},
    {48, 6336, 36, 96, 4, 12, 23.455e9, 39.09e9, 8.074e9, 4, 1.589e18, 264.8,
     12},
    {96, 6528, 48, 192, 4, 24, 49.438e9, 41.20e9, 8.496e9, 4, 3.354e18, 279.5,
     24},
    // The paper ran 48 stages, of which the formulas say that 32 fit.
    {96, 9360, 60, 384, 2, 48, 101.42e9, 42.26e9, 8.708e9, 2, 6.859e18, 285.8,
     32},
};

TrainingMemory settingsOf(const Row& row) {
  TrainingMemory settings;
  settings.layers = row.layers;
  settings.hidden = row.hidden;
  settings.heads = row.heads;
  settings.devices = row.devices;
  settings.microBatch = row.microBatch;
  return settings;
}

Json resultOf(const TrainingMemory& settings) {
  std::string error;
  Json result = trainingMemory(settings, error);
  EXPECT_EQ(error, "");
  return result;
}

TEST(TrainingMemory, HasTheValuesOfMyelinsTable) {
  for (const Row& row : kTable1) {
    SCOPED_TRACE(row.hidden);
    TrainingMemory settings = settingsOf(row);
    settings.stages = row.stages;
    const Json result = resultOf(settings);
    const Json& bytes = result["bytes_per_device"];
    EXPECT_NEAR(result["parameters"], row.parameters, 1e-4 * row.parameters);
    EXPECT_NEAR(bytes["weights_gradients_state"], row.stateBytes, 0.01e9);
    EXPECT_NEAR(bytes["offloaded"], row.offloadedBytes, 0.001e9);
    EXPECT_EQ(result["checkpoints"]["interval"], row.interval);
    EXPECT_NEAR(result["time"]["flops_per_step"], row.flops, 1e-3 * row.flops);
    EXPECT_NEAR(result["time"]["seconds_per_step"], row.seconds, 0.1);
  }
}

TEST(TrainingMemory, ChoosesTheFewestStagesThatFit) {
  for (const Row& row : kTable1) {
    SCOPED_TRACE(row.hidden);
    EXPECT_EQ(resultOf(settingsOf(row))["grid"]["stages"], row.chosen);
  }
}

TEST(TrainingMemory, TwelveBillionParametersOverSixDevicesTakeFortyGigabytes) {
  TrainingMemory settings;
  settings.parameters = 12e9;
  settings.devices = settings.stages = 6;
  const Json bytes = resultOf(settings)["bytes_per_device"];
  EXPECT_EQ(bytes["weights_gradients_state"], 40e9);
  EXPECT_EQ(bytes["offloaded"], 8.256e9);
}

TEST(TrainingMemory, TrainingTakesDaysByThePartOfThePeak) {
  TrainingMemory settings = settingsOf(kTable1[0]);
  settings.efficiency = 0.494;
  EXPECT_NEAR(resultOf(settings)["time"]["days"], 113.6, 0.05);
  settings.efficiency = 0.5478;
  EXPECT_NEAR(resultOf(settings)["time"]["days"], 102.4, 0.05);
  settings.seconds = 271.1;
  EXPECT_NEAR(resultOf(settings)["time"]["part_of_peak"], 0.5, 1e-3);
}

TEST(TrainingMemory, HasTheValuesOfZerosFigure) {
  TrainingMemory settings;
  settings.parameters = 7.5e9;
  settings.devices = 64;
  settings.stages = 1;
  const Json bytes = resultOf(settings)["zero_bytes_per_device"];
  EXPECT_NEAR(bytes["data_parallel"], 120e9, 1);
  EXPECT_NEAR(bytes["stage_1"], 31.4e9, 0.05e9);
  EXPECT_NEAR(bytes["stage_2"], 16.6e9, 0.05e9);
  EXPECT_NEAR(bytes["stage_3"], 1.88e9, 0.01e9);
}

TEST(TrainingMemory, NamesWhatIsWrong) {
  auto errorOf = [](const TrainingMemory& settings) {
    std::string error;
    trainingMemory(settings, error);
    return error;
  };
  TrainingMemory settings;
  settings.stages = 7;
  EXPECT_EQ(errorOf(settings), "48 devices cannot be divided into 7 stages");
  settings.devices = 49;
  EXPECT_EQ(errorOf(settings),
            "48 layers cannot be divided into 7 equal stages");
  settings = {};
  settings.memoryBytes = 1e9;
  EXPECT_NE(errorOf(settings).find("48 stages, the most, need 1."),
            std::string::npos)
      << errorOf(settings);
}

}  // namespace
}  // namespace sbp::search::lab
