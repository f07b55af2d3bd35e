// Predicts the next byte of a text from the last one, with the layer of the plug-in. It
// computes what model_of_nn.mlir does, and learns the same on any number of ranks.

!ids = tensor<8x32xi32>
!scalar = tensor<f32>
!embedded = tensor<8x32x24xf32>
!wide = tensor<8x32x48xf32>
!scores = tensor<8x32x256xf32>

!table = tensor<256x24xf32>
!up = tensor<24x48xf32>
!scale = tensor<48xf32>
!down = tensor<48x256xf32>

nn.parameter @table : !table = #nn.normal<1.0>
nn.parameter @input : !up = #nn.normal<0.3>
nn.parameter @gate : !up = #nn.normal<0.3>
nn.parameter @scale : !scale = #nn.ones
nn.parameter @down : !down = #nn.normal<0.1>

func.func @loss(%tokens: !ids {nn.input = "tokens"}, %targets: !ids {nn.input = "targets"})
    -> (!scalar {nn.output = "loss"})
    attributes {nn.optimizer = #nn.sgd<momentum = 0.9>} {
  %table = nn.get @table : !table
  %x = nn.embedding %table, %tokens : (!table, !ids) -> !embedded
  %input = nn.get @input : !up
  %h = nn.einsum "bti,ij->btj" %x, %input : (!embedded, !up) -> !wide
  %gate = nn.get @gate : !up
  %z = nn.einsum "bti,ij->btj" %x, %gate : (!embedded, !up) -> !wide

  %scale = nn.get @scale : !scale
  %y = mamba.gated_norm %h, %z, %scale groups 4 : (!wide, !wide, !scale) -> !wide

  %down = nn.get @down : !down
  %scores = nn.einsum "btj,jk->btk" %y, %down : (!wide, !down) -> !scores
  %loss = nn.cross_entropy %scores, %targets : (!scores, !ids) -> !scalar
  return %loss : !scalar
}
