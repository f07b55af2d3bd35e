// A multi-layer perceptron that classifies 28 x 28 images of ten kinds.
//
//   sbpc mlp.mlir -n 4 -o mlp
//   sbprun -n 4 ./mlp --data image=images.npy --data label=labels.npy --steps 500
//
// images.npy has samples x 784 floats, labels.npy has one integer below 10 per sample.

// A type alias stands for its type; without it the model is the same.
!images = tensor<64x784xf32>
!labels = tensor<64xi32>
!hidden = tensor<64x256xf32>
!scores = tensor<64x10xf32>

!weight1 = tensor<784x256xf32>
!weight2 = tensor<256x10xf32>
!bias1 = tensor<256xf32>
!bias2 = tensor<10xf32>

// Parameters persist between steps, with these initial values. He et al.: a layer
// before a relu keeps the variance of its input with sqrt(2 / inputs).
nn.parameter @weight1 : !weight1 = #nn.normal<0.0505>
nn.parameter @bias1 : !bias1 = #nn.zeros
nn.parameter @weight2 : !weight2 = #nn.normal<0.0884>
nn.parameter @bias2 : !bias2 = #nn.zeros

// A private function is a layer, which entries call.
func.func private @score(%image: !images) -> !scores {
  %weight1 = nn.get @weight1 : !weight1
  %bias1 = nn.get @bias1 : !bias1
  %product1 = nn.einsum "bi,ij->bj" %image, %weight1 : (!images, !weight1) -> !hidden
  %biased1 = nn.add %product1, %bias1 : (!hidden, !bias1) -> !hidden
  %hidden = nn.relu %biased1 : !hidden

  %weight2 = nn.get @weight2 : !weight2
  %bias2 = nn.get @bias2 : !bias2
  %product2 = nn.einsum "bj,jk->bk" %hidden, %weight2 : (!hidden, !weight2) -> !scores
  %scores = nn.add %product2, %bias2 : (!scores, !bias2) -> !scores
  return %scores : !scores
}

// A public function is an entry. Training minimises this one; the attribute has the
// optimiser.
func.func @loss(%image: !images {nn.input = "image"},
                %label: !labels {nn.input = "label"})
    -> (tensor<f32> {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %scores = call @score(%image) : (!images) -> !scores
  %loss = nn.cross_entropy %scores, %label : (!scores, !labels) -> tensor<f32>
  return %loss : tensor<f32>
}

// Probabilities of the kinds: `--entry probabilities --dump probabilities=p.npy`.
func.func @probabilities(%image: !images {nn.input = "image"})
    -> (!scores {nn.output = "probabilities"}) {
  %scores = call @score(%image) : (!images) -> !scores
  %probabilities = nn.softmax %scores dim 1 : !scores
  return %probabilities : !scores
}
