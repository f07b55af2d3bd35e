#include "codegen/driver/CheckOps.h"

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "codegen/check/CheckOp.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/driver/HostMachine.h"
#include "codegen/driver/LoadModel.h"
#include "codegen/driver/ModelContext.h"
#include "codegen/driver/PluginOps.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/text/People.h"
#include "fmt/format.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp {
namespace {

/// Prints what was checked of each op: as a table that grows, or as JSON at the
/// end.
class Report {
 public:
  explicit Report(bool isJson) : isJson_(isJson) {
    if (!isJson_)
      print("op", "instances", "signatures", "gradients", "in place", "");
  }

  /// Adds the line of `op`; `checks` is null if the op is wrong.
  void add(StringRef op, const check::OpChecks* checks) {
    const char* verdict = !checks                    ? "wrong"
                          : checks->obstacle.empty() ? "right"
                                                     : "not checked";
    if (isJson_) {
      nlohmann::ordered_json entry = {{"op", op.str()}, {"verdict", verdict}};
      if (checks) {
        entry["instances"] = checks->numInstances;
        entry["signatures"] = checks->numChoices;
        entry["gradients"] = checks->numGradients;
        entry["in_place"] = checks->numInPlace;
      }
      json_["ops"].push_back(std::move(entry));
      return;
    }
    if (checks)
      print(op.str(), checks->numInstances, checks->numChoices,
            checks->numGradients, checks->numInPlace, verdict);
    else
      print(op.str(), "", "", "", "", verdict);
  }

  void finish() {
    if (isJson_) llvm::outs() << json_.dump(2) << "\n";
  }

 private:
  template <typename... Cells>
  void print(const Cells&... cells) {
    peopleOut() << fmt::format("{:<32}{:>10}{:>12}{:>11}{:>10}  {}\n",
                               cells...);
  }

  bool isJson_;
  nlohmann::ordered_json json_ = {{"ops", nlohmann::ordered_json::array()}};
};

/// Returns the ops of the dialects `dialects` that can be distributed.
std::vector<mlir::RegisteredOperationName> opsOf(
    MLIRContext& context, ArrayRef<std::string> dialects) {
  for (const std::string& dialect : dialects) context.getOrLoadDialect(dialect);
  std::vector<mlir::RegisteredOperationName> ops;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
    if (llvm::is_contained(dialects, op.getDialectNamespace()) &&
        op.hasInterface<DistributedOpInterface>())
      ops.push_back(op);
  return ops;
}

/// Checks ops one after the other, and reports them.
class Checks {
 public:
  Checks(MLIRContext& context, const cpu::Target& target,
         const CheckOpsOptions& options)
      : context_(context),
        options_(options),
        checker_(&context, target, check::Thoroughness()),
        report_(options.isJson) {}

  void checkModel(ModuleOp model) {
    const auto isWanted = [&](Operation* op) {
      return this->isWanted(op->getName().getStringRef());
    };
    for (Operation* op : distinctOps(model, isWanted))
      add(op->getName().getStringRef(), op->getLoc(), checker_.checkLike(op));
  }

  /// Checks those of `names` that no op of the model has.
  void checkNamed(ArrayRef<mlir::RegisteredOperationName> names) {
    for (mlir::RegisteredOperationName name : names)
      if (isWanted(name.getStringRef()) &&
          checked_.count(name.getStringRef().str()) == 0)
        add(name.getStringRef(), mlir::UnknownLoc::get(&context_),
            checker_.checkNamed(name));
  }

  LogicalResult finish() {
    report_.finish();
    for (const std::string& op : options_.ops)
      if (checked_.count(op) == 0)
        return error() << "there is no op '" << op << "' to check";
    if (checked_.empty() && options_.dialectPlugins.empty())
      return error() << "there is no op to check; name a model, or a plug-in "
                        "with --load-dialect-plugin";
    if (checked_.empty())
      return error() << "there is no op to check: the plug-ins that are loaded "
                        "have none that declares its loops "
                        "(DistributedOpInterface); name a model that has ops";
    return LogicalResult::success(areRight_);
  }

 private:
  mlir::InFlightDiagnostic error() {
    return mlir::emitError(mlir::UnknownLoc::get(&context_));
  }

  bool isWanted(StringRef op) const {
    return options_.ops.empty() || llvm::is_contained(options_.ops, op);
  }

  void add(StringRef op, Location location,
           const FailureOr<check::OpChecks>& checks) {
    checked_.insert(op.str());
    report_.add(op, succeeded(checks) ? &*checks : nullptr);
    const bool isRight = succeeded(checks) && checks->obstacle.empty();
    areRight_ &= isRight;
    if (succeeded(checks) && !isRight)
      mlir::emitError(location)
          << "'" << op << "' cannot be checked: " << checks->obstacle;
  }

  MLIRContext& context_;
  const CheckOpsOptions& options_;
  check::OpChecker checker_;
  Report report_;
  std::set<std::string> checked_;
  bool areRight_ = true;
};

}  // namespace

LogicalResult checkOps(const CheckOpsOptions& options) {
  std::unique_ptr<ModelContext> model = ModelContext::create(
      options.dialectPlugins, [](mlir::DialectRegistry& registry) {
        cpu::registerNnKernels(registry);
        registerAdjoints(registry);
      });
  if (!model) return failure();
  MLIRContext& context = model->get();
  const FailureOr<cpu::Target> target = cpu::lookUpTarget(
      "host", [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
  if (failed(target)) return failure();
  ModelSource source;
  source.path = options.modelPath;
  mlir::OwningOpRef<ModuleOp> module;
  if (!options.modelPath.empty()) {
    module = loadModel(*model, source, [](ModuleOp module, int64_t) {
      addHostMachine(module, /*numRanks=*/1);
    });
    if (!module) return failure();
  }
  // An op that crashes is reported like one that is wrong.
  llvm::CrashRecoveryContext::Enable();
  Checks checks(context, *target, options);
  if (module) checks.checkModel(*module);
  checks.checkNamed(opsOf(context, model->plugins().dialects()));
  return checks.finish();
}

}  // namespace sbp
