#include "runtime/main/Dumps.h"

#include <utility>

#include "runtime/data/Npy.h"
#include "runtime/file/OutputFile.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Gather.h"

namespace sbp::program {

using tensor::HostTensor;

absl::StatusOr<Dumps> Dumps::find(const std::vector<data::NamedPath>& wanted,
                                  const plan::Plan& plan, size_t entry) {
  Dumps dumps(plan);
  const std::vector<plan::Tensor>& outputs = plan.entries[entry].outputs;
  for (const data::NamedPath& named : wanted) {
    Item item;
    item.path = named.path;
    std::vector<std::string> names;
    for (size_t i = 0; i < outputs.size() && !item.tensor; ++i) {
      names.push_back(outputs[i].name);
      if (outputs[i].name != named.name) continue;
      item.tensor = &outputs[i];
      item.isOutput = true;
      item.index = i;
    }
    for (size_t i = 0; i < plan.parameters.size() && !item.tensor; ++i) {
      const plan::Tensor& tensor = plan.parameters[i].tensor;
      names.push_back(tensor.name);
      if (tensor.name != named.name) continue;
      item.tensor = &tensor;
      item.index = i;
    }
    if (!item.tensor)
      return error(
          "cannot dump \"{}\"; outputs of entry \"{}\" and parameters are: {}",
          named.name, plan.entries[entry].name, fmt::join(names, ", "));
    dumps.items.push_back(std::move(item));
  }
  return dumps;
}

absl::Status Dumps::checkWritable() const {
  for (const Item& item : items)
    SBP_RETURN_IF_ERROR(file::checkWritable(item.path));
  return absl::OkStatus();
}

absl::Status Dumps::collect(const execute::Executor& executor,
                            communication::Communicator& communicator) {
  for (Item& item : items) {
    if (!item.isOutput) continue;
    SBP_ASSIGN_OR_RETURN(
        HostTensor whole,
        tensor::gather(communicator, plan->groupOf(*item.tensor), *item.tensor,
                       executor.outputs()[item.index]));
    if (communicator.rank() == 0) item.batches.push_back(std::move(whole));
  }
  return absl::OkStatus();
}

absl::Status Dumps::write(const execute::Executor& executor,
                          communication::Communicator& communicator) {
  // Even if a file cannot be written, the ranks gather the other tensors.
  absl::Status written;
  for (Item& item : items) {
    if (!item.isOutput) {
      SBP_ASSIGN_OR_RETURN(
          HostTensor whole,
          tensor::gather(communicator, plan->groupOf(*item.tensor),
                         *item.tensor, executor.parameters()[item.index]));
      item.batches = {std::move(whole)};
    }
    if (communicator.rank() != 0) continue;
    written.Update(
        data::writeNpy(item.path, concatenate(std::move(item.batches))));
  }
  return written;
}

HostTensor concatenate(std::vector<HostTensor> batches) {
  HostTensor all = std::move(batches[0]);
  if (batches.size() == 1) return all;
  if (all.shape.empty()) all.shape = {1};
  all.shape[0] *= int64_t(batches.size());
  for (size_t i = 1; i < batches.size(); ++i)
    all.data.insert(all.data.end(), batches[i].data.begin(),
                    batches[i].data.end());
  return all;
}

}  // namespace sbp::program
