// The JSON form of a plan. Each struct of Plan.h has a pair of functions, the
// writer above the reader, with the fields in the order of the header.

#include "fmt/format.h"
#include "runtime/json/Cursor.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {
namespace {

using json::Cursor;
using json::Value;

template <typename Range, typename Write>
Value writeList(const Range& range, Write write) {
  Value list = Value::array();
  for (const auto& element : range) list.push_back(write(element));
  return list;
}

Value write(const Place& place) {
  return {place.file, place.line, place.column};
}

// A place is [file, line, column]. Any other list gives a file that no plan
// has, so that the checks fail.
Place readPlace(const Cursor& json) {
  const std::vector<int64_t> parts = json.integers();
  if (parts.size() != 3) return {-1};
  return {parts[0], parts[1], parts[2]};
}

Value write(const Places& places) {
  return {{"files", places.files},
          {"origins",
           writeList(places.origins, [](const std::vector<Place>& origin) {
             return writeList(origin, [](const Place& p) { return write(p); });
           })}};
}

Places readPlaces(const Cursor& json) {
  return {json["files"].list([](const Cursor& file) { return file.string(); }),
          json["origins"].list(
              [](const Cursor& origin) { return origin.list(readPlace); })};
}

Value write(const Axis& axis) {
  return {{"name", axis.name}, {"size", axis.size}};
}

Axis readAxis(const Cursor& json) {
  return {json["name"].string(), json["size"].integer()};
}

Value write(const Group& group) {
  Value value = {
      {"name", group.name},
      {"axes", writeList(group.axes, [](const Axis& a) { return write(a); })}};
  if (!group.ranks.empty()) value["ranks"] = group.ranks;
  return value;
}

Group readGroup(const Cursor& json) {
  Group group;
  group.name = json["name"].string();
  group.axes = json["axes"].list(readAxis);
  if (json.has("ranks")) group.ranks = json["ranks"].integers();
  return group;
}

ElementType readElementType(const Cursor& json) {
  return json.parsed(parseElementType, "f32, bf16, i32, i64 or i1");
}

ReductionKind readReduction(const Cursor& json) {
  return json.parsed(parseReductionKind, "sum, max or min");
}

Value write(const Tensor& tensor) {
  Value value = {
      {"name", tensor.name},
      {"type", toString(tensor.elementType)},
      {"shape", tensor.shape},
      {"placement", writeList(tensor.placement,
                              [](const Component& c) { return toString(c); })}};
  if (tensor.below) value["below"] = *tensor.below;
  if (tensor.group != 0) value["group"] = tensor.group;
  return value;
}

Tensor readTensor(const Cursor& json) {
  Tensor tensor;
  tensor.name = json["name"].string();
  tensor.elementType = readElementType(json["type"]);
  tensor.shape = json["shape"].integers();
  tensor.placement = json["placement"].list([](const Cursor& component) {
    return component.parsed(parseComponent, "B, S(dim) or P(reduction)");
  });
  if (json.has("below")) tensor.below = json["below"].integer();
  if (json.has("group")) tensor.group = json["group"].integer();
  return tensor;
}

Value write(const Initializer& initializer) {
  return {{"kind", toString(initializer.kind)},
          {"first", initializer.first},
          {"second", initializer.second}};
}

Initializer readInitializer(const Cursor& json) {
  return {
      json["kind"].parsed(parseInitializerKind, "constant, normal or uniform"),
      json["first"].number(), json["second"].number()};
}

Value write(const Parameter& parameter) {
  Value value = {{"tensor", write(parameter.tensor)},
                 {"initializer", write(parameter.initializer)},
                 {"isState", parameter.isState}};
  if (parameter.earlier)
    value["earlier"] = {{"parameter", parameter.earlier->parameter},
                        {"steps", parameter.earlier->steps}};
  return value;
}

Parameter readParameter(const Cursor& json) {
  Parameter parameter = {readTensor(json["tensor"]),
                         readInitializer(json["initializer"]),
                         json["isState"].boolean()};
  if (json.has("earlier")) {
    const Cursor earlier = json["earlier"];
    parameter.earlier = {earlier["parameter"].integer(),
                         earlier["steps"].integer()};
  }
  return parameter;
}

Value write(const Transfer& transfer) {
  Value value = {{"source", write(transfer.source)},
                 {"target", write(transfer.target)},
                 {"times", transfer.times}};
  if (transfer.channel != 0) value["channel"] = transfer.channel;
  return value;
}

Transfer readTransfer(const Cursor& json) {
  return {readTensor(json["source"]), readTensor(json["target"]),
          json["times"].integer(),
          json.has("channel") ? json["channel"].integer() : 0};
}

Value write(const Entry& entry) {
  const auto writeTensor = [](const Tensor& tensor) { return write(tensor); };
  Value value = {{"name", entry.name},
                 {"inputs", writeList(entry.inputs, writeTensor)},
                 {"outputs", writeList(entry.outputs, writeTensor)}};
  if (!entry.optimizer.empty()) value["optimizer"] = entry.optimizer;
  if (!entry.transfers.empty())
    value["transfers"] =
        writeList(entry.transfers, [](const Transfer& t) { return write(t); });
  if (entry.maxSkew != 0) value["maxSkew"] = entry.maxSkew;
  if (entry.takesInOrder) value["takesInOrder"] = true;
  if (entry.sendsInOrder) value["sendsInOrder"] = true;
  return value;
}

Entry readEntry(const Cursor& json) {
  Entry entry;
  entry.name = json["name"].string();
  entry.inputs = json["inputs"].list(readTensor);
  entry.outputs = json["outputs"].list(readTensor);
  if (json.has("optimizer")) entry.optimizer = json["optimizer"].string();
  if (json.has("transfers"))
    entry.transfers = json["transfers"].list(readTransfer);
  if (json.has("maxSkew")) entry.maxSkew = json["maxSkew"].integer();
  entry.takesInOrder =
      json.has("takesInOrder") && json["takesInOrder"].boolean();
  entry.sendsInOrder =
      json.has("sendsInOrder") && json["sendsInOrder"].boolean();
  return entry;
}

Value write(const LocalType& type) {
  return {{"type", toString(type.elementType)}, {"shape", type.shape}};
}

LocalType readLocalType(const Cursor& json) {
  return {readElementType(json["type"]), json["shape"].integers()};
}

Value write(const Launch& launch) {
  return {{"function", launch.function},
          {"blocks", launch.blocks},
          {"threads", launch.threads},
          {"shared_bytes", launch.sharedBytes}};
}

Launch readLaunch(const Cursor& json) {
  return {json["function"].string(), json["blocks"].integer(),
          json["threads"].integer(), json["shared_bytes"].integer()};
}

Value write(const Kernel& kernel) {
  const auto writeType = [](const LocalType& type) { return write(type); };
  Value value = {{"name", kernel.name},
                 {"op", kernel.op},
                 {"operands", writeList(kernel.operands, writeType)},
                 {"results", writeList(kernel.results, writeType)}};
  if (kernel.scratchBytes > 0) value["scratch_bytes"] = kernel.scratchBytes;
  if (!kernel.launches.empty())
    value["launches"] =
        writeList(kernel.launches, [](const Launch& l) { return write(l); });
  return value;
}

Kernel readKernel(const Cursor& json) {
  return {json["name"].string(),
          json["op"].string(),
          json["operands"].list(readLocalType),
          json["results"].list(readLocalType),
          json.has("scratch_bytes") ? json["scratch_bytes"].integer() : 0,
          json.has("launches") ? json["launches"].list(readLaunch)
                               : std::vector<Launch>()};
}

Value write(const KernelTask& task) {
  return {
      {"kernel", task.kernel}, {"buffers", task.buffers}, {"call", task.call}};
}

Value write(const CollectiveTask& task) {
  Value value = {{"collective", toString(task.kind)},
                 {"group", task.group},
                 {"axes", task.axes},
                 {"type", toString(task.elementType)},
                 {"reduction", toString(task.reduction)},
                 {"dim", task.dim},
                 {"splitDim", task.splitDim},
                 {"extent", task.extent},
                 {"low", task.low},
                 {"high", task.high},
                 {"inShape", task.inShape},
                 {"outShape", task.outShape},
                 {"in", task.in},
                 {"out", task.out},
                 {"call", task.call}};
  if (task.bucket >= 0) value["bucket"] = task.bucket;
  return value;
}

Value write(const TransferTask& task) {
  return {{"transfer", task.transfer},
          {"kind", toString(task.kind)},
          {"buffer", task.buffer},
          {"call", task.call}};
}

CollectiveTask readCollective(const Cursor& json) {
  CollectiveTask task;
  task.kind = json["collective"].parsed(parseCollectiveKind, "a collective");
  task.group = json["group"].integer();
  task.axes = json["axes"].integers();
  task.elementType = readElementType(json["type"]);
  task.reduction = readReduction(json["reduction"]);
  task.dim = json["dim"].integer();
  task.splitDim = json["splitDim"].integer();
  task.extent = json["extent"].integer();
  task.low = json["low"].integer();
  task.high = json["high"].integer();
  task.inShape = json["inShape"].integers();
  task.outShape = json["outShape"].integers();
  task.in = json["in"].integer();
  task.out = json["out"].integer();
  task.call = json["call"].integer();
  if (json.has("bucket")) task.bucket = json["bucket"].integer();
  return task;
}

Task readTask(const Cursor& json) {
  if (json.has("kernel"))
    return KernelTask{json["kernel"].integer(), json["buffers"].integers(),
                      json["call"].integer()};
  if (json.has("transfer"))
    return TransferTask{
        json["kind"].parsed(parseTransferKind, "an end of a transfer"),
        json["transfer"].integer(), json["buffer"].integer(),
        json["call"].integer()};
  return readCollective(json);
}

Value write(const Gradient& gradient) {
  Value value = {{"type", toString(gradient.elementType)},
                 {"buffer", gradient.buffer},
                 {"numElements", gradient.numElements},
                 {"group", gradient.group},
                 {"copyAxes", gradient.copyAxes}};
  if (gradient.squares) value["squares"] = write(*gradient.squares);
  return value;
}

Gradient readGradient(const Cursor& json) {
  return {readElementType(json["type"]),
          json["buffer"].integer(),
          json["numElements"].integer(),
          json["copyAxes"].integers(),
          json["group"].integer(),
          json.has("squares") ? std::optional(readLaunch(json["squares"]))
                              : std::nullopt};
}

Value write(const Call& call) {
  Value value = {{"function", call.function}, {"caller", call.caller}};
  if (call.origin != kUnknownOrigin) value["origin"] = call.origin;
  return value;
}

Call readCall(const Cursor& json) {
  return {json["function"].string(), json["caller"].integer(),
          json.has("origin") ? json["origin"].integer() : kUnknownOrigin};
}

Value write(const Loop::Carried& carried) {
  return {{"buffer", carried.buffer}, {"bytes", carried.bytes}};
}

Value write(const Loop::Block& block) {
  Value value = {{"name", block.name},
                 {"first", block.first},
                 {"last", block.last},
                 {"runs", block.numRuns}};
  if (block.isOnce) value["once"] = true;
  value["title"] = block.title;
  return value;
}

Value write(const Loop::Slots& slots) {
  return {{"buffer", slots.buffer},
          {"bytes", slots.bytes},
          {"count", slots.count},
          {"users", slots.users}};
}

Value write(const Loop& loop) {
  Value value = {
      {"first", loop.first},
      {"last", loop.last},
      {"times", loop.numMicroBatches},
      {"carried", writeList(loop.carried,
                            [](const Loop::Carried& c) { return write(c); })},
      {"number", loop.microBatchBuffer}};
  if (loop.blocks.empty()) return value;
  value["blocks"] =
      writeList(loop.blocks, [](const Loop::Block& b) { return write(b); });
  value["order"] = writeList(loop.order, [](const Loop::BlockRun& run) {
    if (run.stepOffset == 0) return Value{run.block, run.microBatch};
    return Value{run.block, run.microBatch, run.stepOffset};
  });
  value["slots"] =
      writeList(loop.slots, [](const Loop::Slots& s) { return write(s); });
  if (loop.messages)
    value["messages"] = {{"urgencies", loop.messages->urgencies},
                         {"agreement", write(loop.messages->agreement)}};
  return value;
}

Loop::Carried readCarried(const Cursor& json) {
  return {json["buffer"].integer(), json["bytes"].integer()};
}

Loop::Block readBlock(const Cursor& json) {
  return {json["name"].string(),
          json["first"].integer(),
          json["last"].integer(),
          json["runs"].integer(),
          json.has("once") && json["once"].boolean(),
          json["title"].string()};
}

// A run is [block, micro-batch], or [block, micro-batch, step offset]. Any
// other list gives a block index that no loop has, so that the checks fail.
Loop::BlockRun readRun(const Cursor& json) {
  const std::vector<int64_t> parts = json.integers();
  if (parts.size() == 2) return {parts[0], parts[1]};
  if (parts.size() == 3) return {parts[0], parts[1], parts[2]};
  return {-1, -1};
}

Loop::Slots readSlots(const Cursor& json) {
  return {json["buffer"].integer(), json["bytes"].integer(),
          json["count"].integer(), json["users"].integers()};
}

Loop readLoop(const Cursor& json) {
  Loop loop = {json["first"].integer(), json["last"].integer(),
               json["times"].integer(), json["carried"].list(readCarried),
               json["number"].integer()};
  if (!json.has("blocks")) return loop;
  loop.blocks = json["blocks"].list(readBlock);
  loop.order = json["order"].list(readRun);
  loop.slots = json["slots"].list(readSlots);
  if (json.has("messages")) {
    const Cursor messages = json["messages"];
    loop.messages = {messages["urgencies"].integers(),
                     readCollective(messages["agreement"])};
  }
  return loop;
}

Value write(const Rotation& rotation) {
  return {{"buffer", rotation.buffer},
          {"bytes", rotation.bytes},
          {"count", rotation.count}};
}

Rotation readRotation(const Cursor& json) {
  return {json["buffer"].integer(), json["bytes"].integer(),
          json["count"].integer()};
}

Value write(const EntryProgram& program) {
  Value value = {
      {"arenaBytes", program.arenaBytes},
      {"inputs", program.inputs},
      {"outputs", program.outputs},
      {"tasks", writeList(program.tasks,
                          [](const Task& task) {
                            return std::visit(
                                [](const auto& t) { return write(t); }, task);
                          })},
      {"firstUpdate", program.firstUpdate},
      {"gradients", writeList(program.gradients,
                              [](const Gradient& g) { return write(g); })},
      {"calls",
       writeList(program.calls, [](const Call& c) { return write(c); })},
      {"loops",
       writeList(program.loops, [](const Loop& l) { return write(l); })}};
  if (program.headStepOffset != 0) value["ahead"] = program.headStepOffset;
  if (program.firstLate >= 0) value["firstLate"] = program.firstLate;
  if (!program.rotations.empty())
    value["rotations"] = writeList(program.rotations,
                                   [](const Rotation& r) { return write(r); });
  if (!program.origins.empty()) value["origins"] = program.origins;
  return value;
}

EntryProgram readEntryProgram(const Cursor& json) {
  EntryProgram program = {
      json["arenaBytes"].integer(),  json["inputs"].integers(),
      json["outputs"].integers(),    json["tasks"].list(readTask),
      json["firstUpdate"].integer(), json["gradients"].list(readGradient),
      json["calls"].list(readCall),  json["loops"].list(readLoop)};
  if (json.has("ahead")) program.headStepOffset = json["ahead"].integer();
  if (json.has("firstLate")) program.firstLate = json["firstLate"].integer();
  if (json.has("rotations"))
    program.rotations = json["rotations"].list(readRotation);
  if (json.has("origins")) program.origins = json["origins"].integers();
  return program;
}

Value write(const Program& program) {
  return {{"ranks", program.ranks},
          {"persistentBytes", program.persistentBytes},
          {"parameters", program.parameters},
          {"entries", writeList(program.entries, [](const EntryProgram& e) {
             return write(e);
           })}};
}

Program readProgram(const Cursor& json) {
  return {json["ranks"].integers(), json["persistentBytes"].integer(),
          json["parameters"].integers(),
          json["entries"].list(readEntryProgram)};
}

Value write(const Plugin& plugin) {
  return {{"name", plugin.name}, {"version", plugin.version}};
}

Plugin readPlugin(const Cursor& json) {
  return {json["name"].string(), json["version"].string()};
}

}  // namespace

std::string toJson(const Plan& plan) {
  Value value = {{"model", plan.model}, {"compiler", plan.compiler}};
  if (!plan.plugins.empty())
    value["plugins"] =
        writeList(plan.plugins, [](const Plugin& p) { return write(p); });
  value["groups"] =
      writeList(plan.groups, [](const Group& g) { return write(g); });
  if (!plan.places.files.empty()) value["places"] = write(plan.places);
  value.update({
      {"kernels",
       writeList(plan.kernels, [](const Kernel& k) { return write(k); })},
      {"parameters",
       writeList(plan.parameters, [](const Parameter& p) { return write(p); })},
      {"entries",
       writeList(plan.entries, [](const Entry& e) { return write(e); })},
      {"programs",
       writeList(plan.programs, [](const Program& p) { return write(p); })},
  });
  return json::format(value) + "\n";
}

absl::StatusOr<Plan> fromJson(std::string_view text) {
  const auto value = json::parse(text);
  if (!value.ok()) return value.status();
  absl::Status status;
  const Cursor json(*value, status);
  Plan plan;
  plan.model = json["model"].string();
  plan.compiler = json["compiler"].string();
  if (json.has("plugins")) plan.plugins = json["plugins"].list(readPlugin);
  plan.groups = json["groups"].list(readGroup);
  if (json.has("places")) plan.places = readPlaces(json["places"]);
  plan.kernels = json["kernels"].list(readKernel);
  plan.parameters = json["parameters"].list(readParameter);
  plan.entries = json["entries"].list(readEntry);
  plan.programs = json["programs"].list(readProgram);
  if (status.ok()) status = check(plan);
  if (!status.ok()) return status;
  return plan;
}

}  // namespace sbp::plan
