#include "runtime/cuda/LaunchList.h"

#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Returns a hash of `hash` and `number`.
size_t mix(size_t hash, uint64_t number) {
  return (hash ^ number) * 0x9e3779b97f4a7c15 + (hash >> 29);
}

}  // namespace

void LaunchList::add(const Launch& launch, absl::Span<const Address> arguments,
                     const std::string& what) {
  items_.push_back({launch, arguments.size(), &what});
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  hash_ = mix(hash_, reinterpret_cast<uint64_t>(launch.function));
  hash_ = mix(hash_, uint64_t{launch.blocks} << 32 | launch.threads);
  for (const Address argument : arguments) hash_ = mix(hash_, argument);
}

void LaunchList::clear() {
  items_.clear();
  arguments_.clear();
  hash_ = 0;
}

absl::Status LaunchList::start(const Driver& driver,
                               StreamHandle stream) const {
  absl::Span<const Address> arguments = arguments_;
  for (const Item& item : items_) {
    SBP_RETURN_IF_ERROR(cuda::start(item.launch,
                                    arguments.first(item.numArguments),
                                    *item.what, driver, stream));
    arguments.remove_prefix(item.numArguments);
  }
  return absl::OkStatus();
}

bool LaunchList::operator==(const LaunchList& other) const {
  return items_ == other.items_ && arguments_ == other.arguments_;
}

absl::Status start(const Launch& launch, absl::Span<const Address> arguments,
                   const std::string& what, const Driver& driver,
                   StreamHandle stream) {
  // The driver takes the address of each argument.
  thread_local std::vector<void*> parameters;
  parameters.clear();
  for (const Address& argument : arguments)
    parameters.push_back(const_cast<Address*>(&argument));
  const Result result = driver.launchKernel(
      launch.function, launch.blocks, 1, 1, launch.threads, 1, 1,
      /*dynamicSharedBytes=*/0, stream, parameters.data(), nullptr);
  if (result == 0) return absl::OkStatus();
  return driver.check(result,
                      fmt::format("cuLaunchKernel of {}", what).c_str());
}

}  // namespace sbp::cuda
