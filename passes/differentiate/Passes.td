#ifndef PASSES_DIFFERENTIATE_PASSES_TD_
#define PASSES_DIFFERENTIATE_PASSES_TD_

include "mlir/Pass/PassBase.td"

def Differentiate : Pass<"sbp-differentiate", "::mlir::ModuleOp"> {
  let summary = "Makes the training step of a loss function";
  let description = [{
    From the function that carries `nn.optimizer`, whose result is a scalar loss,
    makes the public function `@train_step`: the loss, its gradients in reverse
    mode, and the optimiser's step on every parameter that the loss depends on.
    It takes what the loss function takes, and the learning rate as the input
    "lr"; it gives the output "loss". The loss function stays, as an entry that
    evaluates; its `nn.optimizer` moves to the training step, as `nn.trained_by`.

    ```mlir
    nn.parameter @w : tensor<4xf32> = #nn.zeros
    func.func @loss(%x: tensor<4xf32> {nn.input = "x"}) -> tensor<f32>
        attributes {nn.optimizer = #nn.sgd} {
      %w = nn.get @w : tensor<4xf32>
      %loss = nn.mse %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      return %loss : tensor<f32>
    }
    ```

    A private function is a layer, and is differentiated once for all its calls
    that need the same gradients: `@layer` becomes `@layer.forward`, which also
    returns the values that the backward program needs, and `@layer.backward`,
    which takes these and the gradients of the results, and returns the gradients
    of the arguments and then of the parameters that the layer reads itself.
    Nothing is computed twice, except that what has no operands (a constant, a
    parameter) is read again rather than kept, and that a maximum or minimum is
    found again where its gradient goes to the elements that attain it.

    The function of a stage (`sbp.stage`) may ask for more. With
    `sbp.split_backward` it gets, in place of `@stage.backward`, two functions:
    `@stage.backward.input`, which returns the gradients of activations and then
    what the other needs, and `@stage.backward.weight`, which returns those of
    weights; so do the layers that it calls. With `sbp.recompute`,
    `@stage.forward` saves nothing, and `@stage.recompute` makes the saved values
    again, right before the backward. What is made for a stage carries its kind,
    `sbp.kind`.

    With `micro-batches`, the training step repeats one function for each part of the
    batch, `@train_step.part`: forward and backward through a micro-batch, whose
    gradients are added to those of the ones before, each as soon as it is there. Then
    it updates the parameters once. That gives what it gives at once, and saves the
    values of one micro-batch only; an op that mixes samples is an error, but for batch
    normalisation, which takes the statistics of a micro-batch, as a remark says. The
    loss is computed in parts as well, by `@loss.part` (`docs/micro-batches.md`).

    Parameters in f32 that are cast to bf16 have gradients in bf16, which are cast back
    by an op with `nn.reduced_in = f32`, or with the option `reduce=bf16` that: where
    ranks have terms of such a gradient, they are added up after the cast, exactly, or
    before it, in half the bytes (`dialects/nn/ReducedIn.h`).

    The ops carry `nn.id` and `nn.adjoint_of` (`dialects/nn/DifferentiableOp.h`).

    `frozen` parameters, optimiser state and integers are constants. A parameter
    on which the loss does not depend is not updated. A module without
    `nn.optimizer` is left as it is.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::sbp::nn::NnDialect"];
  let options = [
    Option<"functionName", "function", "std::string", "",
           "The loss function, if not the one with nn.optimizer">,
    Option<"microBatches", "micro-batches", "::sbp::MicroBatchCount", "0",
           "Number of micro-batches into which a training step divides its batch; 0 for "
           "that of the module's sbp.schedule, or else one">,
    Option<"reduceIn", "reduce", "::sbp::ReduceIn", "::sbp::ReduceIn::F32",
           "The type in which terms of gradients in bf16, which are cast to f32, are "
           "added up over ranks",
           [{llvm::cl::values(
               clEnumValN(::sbp::ReduceIn::F32, "f32", "After the cast, exactly"),
               clEnumValN(::sbp::ReduceIn::BF16, "bf16",
                          "Before it, in half the bytes"))}]>,
    Option<"optimizerText", "optimizer", "std::string", "",
           "Such as #nn.adamw<weight_decay=0.1>; replaces nn.optimizer">,
  ];
}

#endif  // PASSES_DIFFERENTIATE_PASSES_TD_
