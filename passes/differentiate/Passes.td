#ifndef PASSES_DIFFERENTIATE_PASSES_TD_
#define PASSES_DIFFERENTIATE_PASSES_TD_

include "mlir/Pass/PassBase.td"
include "passes/options/Options.td"

def Differentiate : Pass<"sbp-differentiate", "::mlir::ModuleOp"> {
  let summary = "Makes the training step of a loss function";
  let description = [{
    From the function with the attribute `nn.optimizer`, whose result is a scalar
    loss, makes the public function `@train_step`: the loss, its gradients in reverse
    mode, and the optimiser's step on every parameter that the loss depends on. It has
    the inputs of the loss function and the learning rate, "lr", and the output
    "loss". The loss function stays, as an entry that evaluates. Its `nn.optimizer`
    moves to the training step, as `nn.trained_by`.

    ```mlir
    nn.parameter @w : tensor<4xf32> = #nn.zeros
    func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<f32>
        attributes {nn.optimizer = #nn.sgd} {
      %w = nn.get @w : tensor<4xf32>
      %loss = nn.mse %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      return %loss : tensor<f32>
    }
    ```

    A private function is a layer. It is differentiated once for all its calls that
    need the same gradients: `@layer` becomes `@layer.forward`, which also returns
    the values that the backward pass needs, and `@layer.backward`, which takes these
    and the gradients of the results, and returns the gradients of the arguments and
    then of the parameters that the layer reads itself. Unless a layer asks for it, nothing
    is computed twice, with two exceptions: an op without operands (a constant, a parameter) is repeated
    instead of saved, and a maximum or minimum is found again where its gradient goes to
    the elements that attain it.

    If a layer keeps less than its backward pass takes (`sbp.keep`), `@layer.forward`
    returns only what is kept. `@layer.recompute` takes the arguments of the layer and the
    kept values, and computes the other values again, right before the backward. The
    attribute is an error on a function that the loss does not call.

    The function of a stage (`sbp.stage`) may have `sbp.split_backward`: instead of
    `@stage.backward` there are then two functions. `@stage.backward.input` returns the
    gradients of activations, and then what the other function needs;
    `@stage.backward.weight` returns the gradients of weights. The same goes for the layers
    that the stage calls.

    Functions that are made for a stage have the attribute `sbp.kind`.

    With `micro-batches`, or `sbp.micro_batches = 4 : i64` on the function, the training
    step repeats one function for each micro-batch, `@train_step.part`: forward and backward. Each gradient is added to its sum as soon
    as it is made. After the last micro-batch the parameters are updated once. The
    result is that of the whole batch, and the saved values are those of one
    micro-batch. An op that mixes samples is an error, except batch normalisation, which
    takes the statistics of a micro-batch; a remark says so. `@loss.part` computes the
    loss in micro-batches as well. `@train_step.counts` is repeated before
    `@train_step.part` if the gradients of several sums over samples have factors, such
    as one by a number of labels: it adds up what these depend on. See `docs/micro-batches.md`.

    Parameters in f32 that are cast to bf16 have gradients in bf16, which are cast back by
    an op with `nn.reduced_in = f32`, or `bf16` with the option `reduce=bf16`. If ranks
    have terms of such a gradient, these are added after the cast, exactly, or before it,
    in half the bytes (`dialects/nn/ReducedIn.h`).

    The ops carry `nn.id` and `nn.adjoint_of` (`dialects/nn/DifferentiableOp.h`).

    `frozen` parameters, optimiser state and integers are constants. A parameter
    on which the loss does not depend is not updated. A module without
    `nn.optimizer` does not change.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::sbp::nn::NnDialect"];
  let options = [
    Option<"functionName", "function", "std::string", "",
           "Name of the loss function (the one with nn.optimizer)">,
    MicroBatchesOption, ReduceOption,
    Option<"optimizerText", "optimizer", "std::string", "",
           "Optimiser that replaces nn.optimizer, such as #nn.adamw<weight_decay=0.1>">,
  ];
}

def KeepInLayers : Pass<"sbp-keep-in-layers", "::mlir::ModuleOp"> {
  let summary = "Marks the layers of a model with what they keep";
  let description = [{
    With `keep=inputs`, the functions that the trained entry calls get the attribute
    `sbp.keep = #sbp.keep<inputs>`; a function of a stage does not, but the functions that
    it calls do. With `keep=products`, the functions that these call get the attribute
    too: a layer that keeps products keeps the results of calls. A function that has the
    attribute stays as it is.

    ```mlir
    func.func private @layer(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32>
        attributes {sbp.keep = #sbp.keep<inputs>} { ... }
    ```

    Fails if no function is to be trained, or if it calls no layer. With `keep=all`, the
    default, nothing changes.
  }];
  let options = [
    Option<"kept", "keep", "::sbp::Kept", /*default=*/"::sbp::Kept::All",
      "What each layer keeps for its backward pass, unless sbp.keep of the layer says it: "
      "all values; products, to compute element-wise ops and norms again; or inputs, to "
      "compute the whole layer again. Results stay the same",
      [{llvm::cl::values(
          clEnumValN(::sbp::Kept::All, "all", "Every value that the backward pass uses"),
          clEnumValN(::sbp::Kept::Products, "products",
                     "Results of expensive ops, such as matrix products"),
          clEnumValN(::sbp::Kept::Inputs, "inputs", "The arguments of the layer"))}]>,
  ];
}

#endif  // PASSES_DIFFERENTIATE_PASSES_TD_
