#include "runtime/data/Npy.h"

#include <cstring>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/math/BFloat16.h"

namespace sbp::data {
namespace {

using plan::ElementType;
using tensor::HostTensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Returns a file of version 1 with the given dictionary and `dataBytes` bytes
/// of data.
std::string npyBytes(std::string dictionary, size_t dataBytes) {
  dictionary += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += '\1';
  bytes += '\0';
  bytes += char(dictionary.size());
  bytes += '\0';
  return bytes + dictionary + std::string(dataBytes, 'x');
}

std::string errorOf(const std::string& bytes) {
  return std::string(parseNpyHeader(bytes).status().message());
}

TEST(Npy, WhatIsWrittenIsReadBack) {
  const std::string path = testing::TempDir() + "tensor.npy";
  for (ElementType type : {ElementType::kF32, ElementType::kI32,
                           ElementType::kI64, ElementType::kI1})
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{}, {5}, {2, 3}, {0, 4}, {1, 2, 3, 4}}) {
      HostTensor tensor = HostTensor::zeros(type, shape);
      for (size_t i = 0; i < tensor.data.size(); ++i)
        tensor.data[i] = std::byte(i * 7);
      ASSERT_TRUE(writeNpy(path, tensor).ok());
      const auto file = NpyFile::open(path);
      ASSERT_TRUE(file.ok()) << file.status().message();
      EXPECT_EQ(file->type(), tensor::storedTypeOf(type));
      EXPECT_EQ(file->shape(), shape);
      EXPECT_EQ(
          std::memcmp(file->elements(), tensor.data.data(), tensor.data.size()),
          0);
    }
}

TEST(Npy, Bf16IsWrittenAsTheSameNumbersInF32) {
  const std::string path = testing::TempDir() + "bf16.npy";
  HostTensor tensor = HostTensor::zeros(ElementType::kBF16, {3});
  const float numbers[] = {1.5f, -0.0078125f, 3e38f};
  for (int i = 0; i < 3; ++i)
    tensor.elements<math::BFloat16>()[i] = math::BFloat16(numbers[i]);
  ASSERT_TRUE(writeNpy(path, tensor).ok());
  const auto file = NpyFile::open(path);
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->type(), tensor::StoredType::kF32);
  for (int i = 0; i < 3; ++i) {
    float written;
    std::memcpy(&written, file->elements() + i * sizeof written,
                sizeof written);
    EXPECT_EQ(written, float{tensor.elements<math::BFloat16>()[i]});
  }
}

TEST(Npy, HeadersOfNumpyAreUnderstood) {
  // Written by numpy.save(f, numpy.zeros((2, 3), numpy.int64)), and spellings
  // that the format permits.
  for (const char* text :
       {"{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }",
        "{\"shape\":(2,3),\"descr\":\"<i8\",\"fortran_order\":False}"}) {
    const auto header = parseNpyHeader(npyBytes(text, 48));
    ASSERT_TRUE(header.ok()) << header.status().message();
    EXPECT_EQ(header->type, tensor::StoredType::kI64);
    EXPECT_THAT(header->shape, ElementsAre(2, 3));
  }
  const auto vector = parseNpyHeader(
      npyBytes("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", 4));
  ASSERT_TRUE(vector.ok());
  EXPECT_THAT(vector->shape, ElementsAre(4));
}

TEST(Npy, AllIntegersAndFloatsAndBothOrdersAreUnderstood) {
  const std::pair<const char*, tensor::StoredType> types[] = {
      {"|u1", tensor::StoredType::kU8},  {"<u2", tensor::StoredType::kU16},
      {"<u4", tensor::StoredType::kU32}, {"|i1", tensor::StoredType::kI8},
      {"<f2", tensor::StoredType::kF16}, {"<f8", tensor::StoredType::kF64}};
  for (const auto& [descr, type] : types)
    for (const char* order : {"False", "True"}) {
      const std::string text = std::string("{'descr': '") + descr +
                               "', 'fortran_order': " + order +
                               ", 'shape': (2, 3), }";
      const auto header =
          parseNpyHeader(npyBytes(text, 6 * tensor::byteWidth(type)));
      ASSERT_TRUE(header.ok()) << header.status().message();
      EXPECT_EQ(header->type, type);
      EXPECT_EQ(header->isFortranOrder, order == std::string("True"));
    }
}

TEST(Npy, ErrorsSayWhatIsAccepted) {
  EXPECT_EQ(errorOf("PK"), "it is no .npy file of version 1, 2 or 3");
  EXPECT_THAT(
      errorOf(npyBytes(
          "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", 16)),
      HasSubstr("its elements are '<c8'; accepted are '|b1' (bool), '<f2'"));
  EXPECT_THAT(
      errorOf(npyBytes(
          "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8)),
      HasSubstr("its elements are '>f4'"));
  EXPECT_EQ(
      errorOf(npyBytes(
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 23)),
      "it has 23 bytes of data, too few for its shape 2x3xf32");
  EXPECT_EQ(
      errorOf(npyBytes(
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 25)),
      "it has 25 bytes of data, but its shape 2x3xf32 takes 24");
  EXPECT_THAT(
      errorOf(npyBytes("{'descr': '<f4', 'fortran_order': False, 'shape': "
                       "(9999999999, 9999999999, 9999999999), }",
                       23)),
      HasSubstr("too few"));
  EXPECT_THAT(
      errorOf(npyBytes(
          "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, ), }", 23)),
      HasSubstr("too few"));
}

TEST(Npy, MutatedHeadersAreReadOrRejectedButNeverCrash) {
  const std::string original = npyBytes(
      "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }", 48);
  std::mt19937 random(1);
  for (int round = 0; round < 100000; ++round) {
    std::string bytes = original;
    for (int edits = 1 + random() % 4; edits > 0; --edits)
      bytes[random() % (bytes.size() - 48)] =
          random() % 2 ? original[random() % original.size()]
                       : char(random() % 256);
    bytes.resize(random() % 4 == 0 ? random() % bytes.size() : bytes.size());
    const auto header = parseNpyHeader(bytes);
    if (!header.ok()) continue;
    int64_t count = 1;
    for (int64_t extent : header->shape) count *= extent;
    EXPECT_LE(header->dataOffset + count * tensor::byteWidth(header->type),
              int64_t(bytes.size()));
  }
}

}  // namespace
}  // namespace sbp::data
