// What model.mlir computes, by ops of nn alone.

!ids = tensor<8x32xi32>
!scalar = tensor<f32>
!embedded = tensor<8x32x24xf32>
!wide = tensor<8x32x48xf32>
!groups = tensor<8x32x4x12xf32>
!group = tensor<12xf32>
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
  %open = nn.silu %z : !wide
  %gated = nn.mul %h, %open : (!wide, !wide) -> !wide
  %groups = nn.reshape %gated : !wide -> !groups
  %ones = nn.constant dense<1.0> : !group
  %even = nn.rms_norm %groups, %ones : (!groups, !group) -> !groups
  %normal = nn.reshape %even : !groups -> !wide
  %y = nn.mul %normal, %scale : (!wide, !scale) -> !wide

  %down = nn.get @down : !down
  %scores = nn.einsum "btj,jk->btk" %y, %down : (!wide, !down) -> !scores
  %loss = nn.cross_entropy %scores, %targets : (!scores, !ids) -> !scalar
  return %loss : !scalar
}
