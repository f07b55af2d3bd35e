// A GPT: layers 4, width 128, heads 4, vocabulary 256, sequence 64, batch 32.
// 867072 parameters. Written by models/gpt.py.

!vector = tensor<128xf32>
!token_table = tensor<256x128xf32>
!position_table = tensor<64x128xf32>
!to_heads = tensor<128x4x32xf32>
!head_bias = tensor<4x1x32xf32>
!from_heads = tensor<4x32x128xf32>
!up = tensor<128x512xf32>
!up_bias = tensor<512xf32>
!down = tensor<512x128xf32>

// Embedding.
nn.parameter @token_table : !token_table = #nn.normal<0.02>
nn.parameter @position_table : !position_table = #nn.normal<0.02>

// Layer 0.
nn.parameter @layer0.attention.gain : !vector = #nn.ones
nn.parameter @layer0.attention.shift : !vector = #nn.zeros
nn.parameter @layer0.attention.query : !to_heads = #nn.normal<0.02>
nn.parameter @layer0.attention.query_bias : !head_bias = #nn.zeros
nn.parameter @layer0.attention.key : !to_heads = #nn.normal<0.02>
nn.parameter @layer0.attention.key_bias : !head_bias = #nn.zeros
nn.parameter @layer0.attention.value : !to_heads = #nn.normal<0.02>
nn.parameter @layer0.attention.value_bias : !head_bias = #nn.zeros
nn.parameter @layer0.attention.output : !from_heads = #nn.normal<0.00707107>
nn.parameter @layer0.attention.output_bias : !vector = #nn.zeros
nn.parameter @layer0.feed_forward.gain : !vector = #nn.ones
nn.parameter @layer0.feed_forward.shift : !vector = #nn.zeros
nn.parameter @layer0.feed_forward.up : !up = #nn.normal<0.02>
nn.parameter @layer0.feed_forward.up_bias : !up_bias = #nn.zeros
nn.parameter @layer0.feed_forward.down : !down = #nn.normal<0.00707107>
nn.parameter @layer0.feed_forward.down_bias : !vector = #nn.zeros

// Layer 1.
nn.parameter @layer1.attention.gain : !vector = #nn.ones
nn.parameter @layer1.attention.shift : !vector = #nn.zeros
nn.parameter @layer1.attention.query : !to_heads = #nn.normal<0.02>
nn.parameter @layer1.attention.query_bias : !head_bias = #nn.zeros
nn.parameter @layer1.attention.key : !to_heads = #nn.normal<0.02>
nn.parameter @layer1.attention.key_bias : !head_bias = #nn.zeros
nn.parameter @layer1.attention.value : !to_heads = #nn.normal<0.02>
nn.parameter @layer1.attention.value_bias : !head_bias = #nn.zeros
nn.parameter @layer1.attention.output : !from_heads = #nn.normal<0.00707107>
nn.parameter @layer1.attention.output_bias : !vector = #nn.zeros
nn.parameter @layer1.feed_forward.gain : !vector = #nn.ones
nn.parameter @layer1.feed_forward.shift : !vector = #nn.zeros
nn.parameter @layer1.feed_forward.up : !up = #nn.normal<0.02>
nn.parameter @layer1.feed_forward.up_bias : !up_bias = #nn.zeros
nn.parameter @layer1.feed_forward.down : !down = #nn.normal<0.00707107>
nn.parameter @layer1.feed_forward.down_bias : !vector = #nn.zeros

// Layer 2.
nn.parameter @layer2.attention.gain : !vector = #nn.ones
nn.parameter @layer2.attention.shift : !vector = #nn.zeros
nn.parameter @layer2.attention.query : !to_heads = #nn.normal<0.02>
nn.parameter @layer2.attention.query_bias : !head_bias = #nn.zeros
nn.parameter @layer2.attention.key : !to_heads = #nn.normal<0.02>
nn.parameter @layer2.attention.key_bias : !head_bias = #nn.zeros
nn.parameter @layer2.attention.value : !to_heads = #nn.normal<0.02>
nn.parameter @layer2.attention.value_bias : !head_bias = #nn.zeros
nn.parameter @layer2.attention.output : !from_heads = #nn.normal<0.00707107>
nn.parameter @layer2.attention.output_bias : !vector = #nn.zeros
nn.parameter @layer2.feed_forward.gain : !vector = #nn.ones
nn.parameter @layer2.feed_forward.shift : !vector = #nn.zeros
nn.parameter @layer2.feed_forward.up : !up = #nn.normal<0.02>
nn.parameter @layer2.feed_forward.up_bias : !up_bias = #nn.zeros
nn.parameter @layer2.feed_forward.down : !down = #nn.normal<0.00707107>
nn.parameter @layer2.feed_forward.down_bias : !vector = #nn.zeros

// Layer 3.
nn.parameter @layer3.attention.gain : !vector = #nn.ones
nn.parameter @layer3.attention.shift : !vector = #nn.zeros
nn.parameter @layer3.attention.query : !to_heads = #nn.normal<0.02>
nn.parameter @layer3.attention.query_bias : !head_bias = #nn.zeros
nn.parameter @layer3.attention.key : !to_heads = #nn.normal<0.02>
nn.parameter @layer3.attention.key_bias : !head_bias = #nn.zeros
nn.parameter @layer3.attention.value : !to_heads = #nn.normal<0.02>
nn.parameter @layer3.attention.value_bias : !head_bias = #nn.zeros
nn.parameter @layer3.attention.output : !from_heads = #nn.normal<0.00707107>
nn.parameter @layer3.attention.output_bias : !vector = #nn.zeros
nn.parameter @layer3.feed_forward.gain : !vector = #nn.ones
nn.parameter @layer3.feed_forward.shift : !vector = #nn.zeros
nn.parameter @layer3.feed_forward.up : !up = #nn.normal<0.02>
nn.parameter @layer3.feed_forward.up_bias : !up_bias = #nn.zeros
nn.parameter @layer3.feed_forward.down : !down = #nn.normal<0.00707107>
nn.parameter @layer3.feed_forward.down_bias : !vector = #nn.zeros

// Scores.
nn.parameter @final.gain : !vector = #nn.ones
nn.parameter @final.shift : !vector = #nn.zeros
nn.parameter @head : !token_table = #nn.normal<0.02>

// ---- Training ----------------------------------------------------------------

!tokens = tensor<32x64xi32>
!stream = tensor<32x64x128xf32>
!heads = tensor<32x4x64x32xf32>
!hidden = tensor<32x64x512xf32>
!logits = tensor<32x64x256xf32>
!scalar = tensor<f32>

// Adds the embedding of its position to that of each token.
func.func private @embed(
    %tokens: !tokens, %token_table: !token_table,
    %position_table: !position_table) -> !stream {
  %embedded = nn.embedding %token_table, %tokens
      : (!token_table, !tokens) -> !stream
  %stream = nn.add %embedded, %position_table
      : (!stream, !position_table) -> !stream
  return %stream : !stream
}

// Causal self-attention: each token attends to itself and to earlier tokens.
func.func private @attention(
    %stream: !stream, %gain: !vector, %shift: !vector,
    %query: !to_heads, %query_bias: !head_bias,
    %key: !to_heads, %key_bias: !head_bias,
    %value: !to_heads, %value_bias: !head_bias,
    %output: !from_heads, %output_bias: !vector) -> !stream {
  %normalized = nn.layer_norm %stream, %gain, %shift
      : (!stream, !vector, !vector) -> !stream

  %query.product = nn.einsum "btd,dhk->bhtk" %normalized, %query
      : (!stream, !to_heads) -> !heads
  %queries = nn.add %query.product, %query_bias : (!heads, !head_bias) -> !heads

  %key.product = nn.einsum "btd,dhk->bhtk" %normalized, %key
      : (!stream, !to_heads) -> !heads
  %keys = nn.add %key.product, %key_bias : (!heads, !head_bias) -> !heads

  %value.product = nn.einsum "btd,dhk->bhtk" %normalized, %value
      : (!stream, !to_heads) -> !heads
  %values = nn.add %value.product, %value_bias : (!heads, !head_bias) -> !heads

  %seen = nn.attention causal %queries, %keys, %values {scale = 0.176776695 : f64}
      : (!heads, !heads, !heads) -> !heads
  %projected = nn.einsum "bhtk,hkd->btd" %seen, %output
      : (!heads, !from_heads) -> !stream
  %biased = nn.add %projected, %output_bias : (!stream, !vector) -> !stream
  %next = nn.add %stream, %biased : (!stream, !stream) -> !stream
  return %next : !stream
}

// Feed-forward layer, applied to each token separately.
func.func private @feed_forward(
    %stream: !stream, %gain: !vector, %shift: !vector,
    %up: !up, %up_bias: !up_bias, %down: !down, %down_bias: !vector)
    -> !stream {
  %normalized = nn.layer_norm %stream, %gain, %shift
      : (!stream, !vector, !vector) -> !stream
  %up.product = nn.einsum "btd,df->btf" %normalized, %up
      : (!stream, !up) -> !hidden
  %hidden = nn.add %up.product, %up_bias : (!hidden, !up_bias) -> !hidden
  %active = nn.gelu tanh %hidden : !hidden
  %projected = nn.einsum "btf,fd->btd" %active, %down
      : (!hidden, !down) -> !stream
  %biased = nn.add %projected, %down_bias : (!stream, !vector) -> !stream
  %next = nn.add %stream, %biased : (!stream, !stream) -> !stream
  return %next : !stream
}

// Scores of the next token: logits over the vocabulary.
func.func private @score(
    %stream: !stream, %gain: !vector, %shift: !vector,
    %head: !token_table) -> !logits {
  %normalized = nn.layer_norm %stream, %gain, %shift
      : (!stream, !vector, !vector) -> !stream
  %logits = nn.einsum "btd,vd->btv" %normalized, %head
      : (!stream, !token_table) -> !logits
  return %logits : !logits
}

// The loss that training minimises, in nats per token.
func.func @loss(%tokens: !tokens {nn.input = "tokens"},
                %targets: !tokens {nn.input = "targets"})
    -> (!scalar {nn.output = "loss"})
    attributes {nn.optimizer = #nn.adamw<beta1 = 0.9, beta2 = 0.99, weight_decay = 0.01>} {
  %token_table = nn.get @token_table : !token_table
  %position_table = nn.get @position_table : !position_table
  %stream0 = call @embed(%tokens, %token_table, %position_table)
      : (!tokens, !token_table, !position_table) -> !stream

  // Layer 0, attention.
  %layer0.attention.gain = nn.get @layer0.attention.gain : !vector
  %layer0.attention.shift = nn.get @layer0.attention.shift : !vector
  %layer0.attention.query = nn.get @layer0.attention.query : !to_heads
  %layer0.attention.query_bias = nn.get @layer0.attention.query_bias : !head_bias
  %layer0.attention.key = nn.get @layer0.attention.key : !to_heads
  %layer0.attention.key_bias = nn.get @layer0.attention.key_bias : !head_bias
  %layer0.attention.value = nn.get @layer0.attention.value : !to_heads
  %layer0.attention.value_bias = nn.get @layer0.attention.value_bias : !head_bias
  %layer0.attention.output = nn.get @layer0.attention.output : !from_heads
  %layer0.attention.output_bias = nn.get @layer0.attention.output_bias : !vector
  %stream1 = call @attention(
      %stream0, %layer0.attention.gain, %layer0.attention.shift,
      %layer0.attention.query, %layer0.attention.query_bias,
      %layer0.attention.key, %layer0.attention.key_bias,
      %layer0.attention.value, %layer0.attention.value_bias,
      %layer0.attention.output, %layer0.attention.output_bias)
      : (!stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads, !vector) -> !stream

  // Layer 0, feed forward.
  %layer0.feed_forward.gain = nn.get @layer0.feed_forward.gain : !vector
  %layer0.feed_forward.shift = nn.get @layer0.feed_forward.shift : !vector
  %layer0.feed_forward.up = nn.get @layer0.feed_forward.up : !up
  %layer0.feed_forward.up_bias = nn.get @layer0.feed_forward.up_bias : !up_bias
  %layer0.feed_forward.down = nn.get @layer0.feed_forward.down : !down
  %layer0.feed_forward.down_bias = nn.get @layer0.feed_forward.down_bias : !vector
  %stream2 = call @feed_forward(
      %stream1, %layer0.feed_forward.gain, %layer0.feed_forward.shift,
      %layer0.feed_forward.up, %layer0.feed_forward.up_bias,
      %layer0.feed_forward.down, %layer0.feed_forward.down_bias)
      : (!stream, !vector, !vector, !up, !up_bias, !down, !vector) -> !stream

  // Layer 1, attention.
  %layer1.attention.gain = nn.get @layer1.attention.gain : !vector
  %layer1.attention.shift = nn.get @layer1.attention.shift : !vector
  %layer1.attention.query = nn.get @layer1.attention.query : !to_heads
  %layer1.attention.query_bias = nn.get @layer1.attention.query_bias : !head_bias
  %layer1.attention.key = nn.get @layer1.attention.key : !to_heads
  %layer1.attention.key_bias = nn.get @layer1.attention.key_bias : !head_bias
  %layer1.attention.value = nn.get @layer1.attention.value : !to_heads
  %layer1.attention.value_bias = nn.get @layer1.attention.value_bias : !head_bias
  %layer1.attention.output = nn.get @layer1.attention.output : !from_heads
  %layer1.attention.output_bias = nn.get @layer1.attention.output_bias : !vector
  %stream3 = call @attention(
      %stream2, %layer1.attention.gain, %layer1.attention.shift,
      %layer1.attention.query, %layer1.attention.query_bias,
      %layer1.attention.key, %layer1.attention.key_bias,
      %layer1.attention.value, %layer1.attention.value_bias,
      %layer1.attention.output, %layer1.attention.output_bias)
      : (!stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads, !vector) -> !stream

  // Layer 1, feed forward.
  %layer1.feed_forward.gain = nn.get @layer1.feed_forward.gain : !vector
  %layer1.feed_forward.shift = nn.get @layer1.feed_forward.shift : !vector
  %layer1.feed_forward.up = nn.get @layer1.feed_forward.up : !up
  %layer1.feed_forward.up_bias = nn.get @layer1.feed_forward.up_bias : !up_bias
  %layer1.feed_forward.down = nn.get @layer1.feed_forward.down : !down
  %layer1.feed_forward.down_bias = nn.get @layer1.feed_forward.down_bias : !vector
  %stream4 = call @feed_forward(
      %stream3, %layer1.feed_forward.gain, %layer1.feed_forward.shift,
      %layer1.feed_forward.up, %layer1.feed_forward.up_bias,
      %layer1.feed_forward.down, %layer1.feed_forward.down_bias)
      : (!stream, !vector, !vector, !up, !up_bias, !down, !vector) -> !stream

  // Layer 2, attention.
  %layer2.attention.gain = nn.get @layer2.attention.gain : !vector
  %layer2.attention.shift = nn.get @layer2.attention.shift : !vector
  %layer2.attention.query = nn.get @layer2.attention.query : !to_heads
  %layer2.attention.query_bias = nn.get @layer2.attention.query_bias : !head_bias
  %layer2.attention.key = nn.get @layer2.attention.key : !to_heads
  %layer2.attention.key_bias = nn.get @layer2.attention.key_bias : !head_bias
  %layer2.attention.value = nn.get @layer2.attention.value : !to_heads
  %layer2.attention.value_bias = nn.get @layer2.attention.value_bias : !head_bias
  %layer2.attention.output = nn.get @layer2.attention.output : !from_heads
  %layer2.attention.output_bias = nn.get @layer2.attention.output_bias : !vector
  %stream5 = call @attention(
      %stream4, %layer2.attention.gain, %layer2.attention.shift,
      %layer2.attention.query, %layer2.attention.query_bias,
      %layer2.attention.key, %layer2.attention.key_bias,
      %layer2.attention.value, %layer2.attention.value_bias,
      %layer2.attention.output, %layer2.attention.output_bias)
      : (!stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads, !vector) -> !stream

  // Layer 2, feed forward.
  %layer2.feed_forward.gain = nn.get @layer2.feed_forward.gain : !vector
  %layer2.feed_forward.shift = nn.get @layer2.feed_forward.shift : !vector
  %layer2.feed_forward.up = nn.get @layer2.feed_forward.up : !up
  %layer2.feed_forward.up_bias = nn.get @layer2.feed_forward.up_bias : !up_bias
  %layer2.feed_forward.down = nn.get @layer2.feed_forward.down : !down
  %layer2.feed_forward.down_bias = nn.get @layer2.feed_forward.down_bias : !vector
  %stream6 = call @feed_forward(
      %stream5, %layer2.feed_forward.gain, %layer2.feed_forward.shift,
      %layer2.feed_forward.up, %layer2.feed_forward.up_bias,
      %layer2.feed_forward.down, %layer2.feed_forward.down_bias)
      : (!stream, !vector, !vector, !up, !up_bias, !down, !vector) -> !stream

  // Layer 3, attention.
  %layer3.attention.gain = nn.get @layer3.attention.gain : !vector
  %layer3.attention.shift = nn.get @layer3.attention.shift : !vector
  %layer3.attention.query = nn.get @layer3.attention.query : !to_heads
  %layer3.attention.query_bias = nn.get @layer3.attention.query_bias : !head_bias
  %layer3.attention.key = nn.get @layer3.attention.key : !to_heads
  %layer3.attention.key_bias = nn.get @layer3.attention.key_bias : !head_bias
  %layer3.attention.value = nn.get @layer3.attention.value : !to_heads
  %layer3.attention.value_bias = nn.get @layer3.attention.value_bias : !head_bias
  %layer3.attention.output = nn.get @layer3.attention.output : !from_heads
  %layer3.attention.output_bias = nn.get @layer3.attention.output_bias : !vector
  %stream7 = call @attention(
      %stream6, %layer3.attention.gain, %layer3.attention.shift,
      %layer3.attention.query, %layer3.attention.query_bias,
      %layer3.attention.key, %layer3.attention.key_bias,
      %layer3.attention.value, %layer3.attention.value_bias,
      %layer3.attention.output, %layer3.attention.output_bias)
      : (!stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads, !vector) -> !stream

  // Layer 3, feed forward.
  %layer3.feed_forward.gain = nn.get @layer3.feed_forward.gain : !vector
  %layer3.feed_forward.shift = nn.get @layer3.feed_forward.shift : !vector
  %layer3.feed_forward.up = nn.get @layer3.feed_forward.up : !up
  %layer3.feed_forward.up_bias = nn.get @layer3.feed_forward.up_bias : !up_bias
  %layer3.feed_forward.down = nn.get @layer3.feed_forward.down : !down
  %layer3.feed_forward.down_bias = nn.get @layer3.feed_forward.down_bias : !vector
  %stream8 = call @feed_forward(
      %stream7, %layer3.feed_forward.gain, %layer3.feed_forward.shift,
      %layer3.feed_forward.up, %layer3.feed_forward.up_bias,
      %layer3.feed_forward.down, %layer3.feed_forward.down_bias)
      : (!stream, !vector, !vector, !up, !up_bias, !down, !vector) -> !stream

  %final.gain = nn.get @final.gain : !vector
  %final.shift = nn.get @final.shift : !vector
  %head = nn.get @head : !token_table
  %logits = call @score(%stream8, %final.gain, %final.shift, %head)
      : (!stream, !vector, !vector, !token_table) -> !logits
  %loss = nn.cross_entropy %logits, %targets : (!logits, !tokens) -> !scalar
  return %loss : !scalar
}

// ---- Sampling: the same layers for one text ----------------------------------

!sample_tokens = tensor<1x64xi32>
!sample_stream = tensor<1x64x128xf32>
!sample_heads = tensor<1x4x64x32xf32>
!sample_hidden = tensor<1x64x512xf32>
!sample_logits = tensor<1x64x256xf32>

// Adds the embedding of its position to that of each token.
func.func private @sample_embed(
    %tokens: !sample_tokens, %token_table: !token_table,
    %position_table: !position_table) -> !sample_stream {
  %embedded = nn.embedding %token_table, %tokens
      : (!token_table, !sample_tokens) -> !sample_stream
  %stream = nn.add %embedded, %position_table
      : (!sample_stream, !position_table) -> !sample_stream
  return %stream : !sample_stream
}

// Causal self-attention: each token attends to itself and to earlier tokens.
func.func private @sample_attention(
    %stream: !sample_stream, %gain: !vector, %shift: !vector,
    %query: !to_heads, %query_bias: !head_bias,
    %key: !to_heads, %key_bias: !head_bias,
    %value: !to_heads, %value_bias: !head_bias,
    %output: !from_heads, %output_bias: !vector) -> !sample_stream {
  %normalized = nn.layer_norm %stream, %gain, %shift
      : (!sample_stream, !vector, !vector) -> !sample_stream

  %query.product = nn.einsum "btd,dhk->bhtk" %normalized, %query
      : (!sample_stream, !to_heads) -> !sample_heads
  %queries = nn.add %query.product, %query_bias : (!sample_heads, !head_bias) -> !sample_heads

  %key.product = nn.einsum "btd,dhk->bhtk" %normalized, %key
      : (!sample_stream, !to_heads) -> !sample_heads
  %keys = nn.add %key.product, %key_bias : (!sample_heads, !head_bias) -> !sample_heads

  %value.product = nn.einsum "btd,dhk->bhtk" %normalized, %value
      : (!sample_stream, !to_heads) -> !sample_heads
  %values = nn.add %value.product, %value_bias : (!sample_heads, !head_bias) -> !sample_heads

  %seen = nn.attention causal %queries, %keys, %values {scale = 0.176776695 : f64}
      : (!sample_heads, !sample_heads, !sample_heads) -> !sample_heads
  %projected = nn.einsum "bhtk,hkd->btd" %seen, %output
      : (!sample_heads, !from_heads) -> !sample_stream
  %biased = nn.add %projected, %output_bias : (!sample_stream, !vector) -> !sample_stream
  %next = nn.add %stream, %biased : (!sample_stream, !sample_stream) -> !sample_stream
  return %next : !sample_stream
}

// Feed-forward layer, applied to each token separately.
func.func private @sample_feed_forward(
    %stream: !sample_stream, %gain: !vector, %shift: !vector,
    %up: !up, %up_bias: !up_bias, %down: !down, %down_bias: !vector)
    -> !sample_stream {
  %normalized = nn.layer_norm %stream, %gain, %shift
      : (!sample_stream, !vector, !vector) -> !sample_stream
  %up.product = nn.einsum "btd,df->btf" %normalized, %up
      : (!sample_stream, !up) -> !sample_hidden
  %hidden = nn.add %up.product, %up_bias : (!sample_hidden, !up_bias) -> !sample_hidden
  %active = nn.gelu tanh %hidden : !sample_hidden
  %projected = nn.einsum "btf,fd->btd" %active, %down
      : (!sample_hidden, !down) -> !sample_stream
  %biased = nn.add %projected, %down_bias : (!sample_stream, !vector) -> !sample_stream
  %next = nn.add %stream, %biased : (!sample_stream, !sample_stream) -> !sample_stream
  return %next : !sample_stream
}

// Scores of the next token: logits over the vocabulary.
func.func private @sample_score(
    %stream: !sample_stream, %gain: !vector, %shift: !vector,
    %head: !token_table) -> !sample_logits {
  %normalized = nn.layer_norm %stream, %gain, %shift
      : (!sample_stream, !vector, !vector) -> !sample_stream
  %logits = nn.einsum "btd,vd->btv" %normalized, %head
      : (!sample_stream, !token_table) -> !sample_logits
  return %logits : !sample_logits
}

func.func @logits(%tokens: !sample_tokens {nn.input = "tokens"})
    -> (!sample_logits {nn.output = "logits"}) {
  %token_table = nn.get @token_table : !token_table
  %position_table = nn.get @position_table : !position_table
  %stream0 = call @sample_embed(%tokens, %token_table, %position_table)
      : (!sample_tokens, !token_table, !position_table) -> !sample_stream

  // Layer 0, attention.
  %layer0.attention.gain = nn.get @layer0.attention.gain : !vector
  %layer0.attention.shift = nn.get @layer0.attention.shift : !vector
  %layer0.attention.query = nn.get @layer0.attention.query : !to_heads
  %layer0.attention.query_bias = nn.get @layer0.attention.query_bias : !head_bias
  %layer0.attention.key = nn.get @layer0.attention.key : !to_heads
  %layer0.attention.key_bias = nn.get @layer0.attention.key_bias : !head_bias
  %layer0.attention.value = nn.get @layer0.attention.value : !to_heads
  %layer0.attention.value_bias = nn.get @layer0.attention.value_bias : !head_bias
  %layer0.attention.output = nn.get @layer0.attention.output : !from_heads
  %layer0.attention.output_bias = nn.get @layer0.attention.output_bias : !vector
  %stream1 = call @sample_attention(
      %stream0, %layer0.attention.gain, %layer0.attention.shift,
      %layer0.attention.query, %layer0.attention.query_bias,
      %layer0.attention.key, %layer0.attention.key_bias,
      %layer0.attention.value, %layer0.attention.value_bias,
      %layer0.attention.output, %layer0.attention.output_bias)
      : (!sample_stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads,
         !vector) -> !sample_stream

  // Layer 0, feed forward.
  %layer0.feed_forward.gain = nn.get @layer0.feed_forward.gain : !vector
  %layer0.feed_forward.shift = nn.get @layer0.feed_forward.shift : !vector
  %layer0.feed_forward.up = nn.get @layer0.feed_forward.up : !up
  %layer0.feed_forward.up_bias = nn.get @layer0.feed_forward.up_bias : !up_bias
  %layer0.feed_forward.down = nn.get @layer0.feed_forward.down : !down
  %layer0.feed_forward.down_bias = nn.get @layer0.feed_forward.down_bias : !vector
  %stream2 = call @sample_feed_forward(
      %stream1, %layer0.feed_forward.gain, %layer0.feed_forward.shift,
      %layer0.feed_forward.up, %layer0.feed_forward.up_bias,
      %layer0.feed_forward.down, %layer0.feed_forward.down_bias)
      : (!sample_stream, !vector, !vector, !up, !up_bias, !down,
         !vector) -> !sample_stream

  // Layer 1, attention.
  %layer1.attention.gain = nn.get @layer1.attention.gain : !vector
  %layer1.attention.shift = nn.get @layer1.attention.shift : !vector
  %layer1.attention.query = nn.get @layer1.attention.query : !to_heads
  %layer1.attention.query_bias = nn.get @layer1.attention.query_bias : !head_bias
  %layer1.attention.key = nn.get @layer1.attention.key : !to_heads
  %layer1.attention.key_bias = nn.get @layer1.attention.key_bias : !head_bias
  %layer1.attention.value = nn.get @layer1.attention.value : !to_heads
  %layer1.attention.value_bias = nn.get @layer1.attention.value_bias : !head_bias
  %layer1.attention.output = nn.get @layer1.attention.output : !from_heads
  %layer1.attention.output_bias = nn.get @layer1.attention.output_bias : !vector
  %stream3 = call @sample_attention(
      %stream2, %layer1.attention.gain, %layer1.attention.shift,
      %layer1.attention.query, %layer1.attention.query_bias,
      %layer1.attention.key, %layer1.attention.key_bias,
      %layer1.attention.value, %layer1.attention.value_bias,
      %layer1.attention.output, %layer1.attention.output_bias)
      : (!sample_stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads,
         !vector) -> !sample_stream

  // Layer 1, feed forward.
  %layer1.feed_forward.gain = nn.get @layer1.feed_forward.gain : !vector
  %layer1.feed_forward.shift = nn.get @layer1.feed_forward.shift : !vector
  %layer1.feed_forward.up = nn.get @layer1.feed_forward.up : !up
  %layer1.feed_forward.up_bias = nn.get @layer1.feed_forward.up_bias : !up_bias
  %layer1.feed_forward.down = nn.get @layer1.feed_forward.down : !down
  %layer1.feed_forward.down_bias = nn.get @layer1.feed_forward.down_bias : !vector
  %stream4 = call @sample_feed_forward(
      %stream3, %layer1.feed_forward.gain, %layer1.feed_forward.shift,
      %layer1.feed_forward.up, %layer1.feed_forward.up_bias,
      %layer1.feed_forward.down, %layer1.feed_forward.down_bias)
      : (!sample_stream, !vector, !vector, !up, !up_bias, !down,
         !vector) -> !sample_stream

  // Layer 2, attention.
  %layer2.attention.gain = nn.get @layer2.attention.gain : !vector
  %layer2.attention.shift = nn.get @layer2.attention.shift : !vector
  %layer2.attention.query = nn.get @layer2.attention.query : !to_heads
  %layer2.attention.query_bias = nn.get @layer2.attention.query_bias : !head_bias
  %layer2.attention.key = nn.get @layer2.attention.key : !to_heads
  %layer2.attention.key_bias = nn.get @layer2.attention.key_bias : !head_bias
  %layer2.attention.value = nn.get @layer2.attention.value : !to_heads
  %layer2.attention.value_bias = nn.get @layer2.attention.value_bias : !head_bias
  %layer2.attention.output = nn.get @layer2.attention.output : !from_heads
  %layer2.attention.output_bias = nn.get @layer2.attention.output_bias : !vector
  %stream5 = call @sample_attention(
      %stream4, %layer2.attention.gain, %layer2.attention.shift,
      %layer2.attention.query, %layer2.attention.query_bias,
      %layer2.attention.key, %layer2.attention.key_bias,
      %layer2.attention.value, %layer2.attention.value_bias,
      %layer2.attention.output, %layer2.attention.output_bias)
      : (!sample_stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads,
         !vector) -> !sample_stream

  // Layer 2, feed forward.
  %layer2.feed_forward.gain = nn.get @layer2.feed_forward.gain : !vector
  %layer2.feed_forward.shift = nn.get @layer2.feed_forward.shift : !vector
  %layer2.feed_forward.up = nn.get @layer2.feed_forward.up : !up
  %layer2.feed_forward.up_bias = nn.get @layer2.feed_forward.up_bias : !up_bias
  %layer2.feed_forward.down = nn.get @layer2.feed_forward.down : !down
  %layer2.feed_forward.down_bias = nn.get @layer2.feed_forward.down_bias : !vector
  %stream6 = call @sample_feed_forward(
      %stream5, %layer2.feed_forward.gain, %layer2.feed_forward.shift,
      %layer2.feed_forward.up, %layer2.feed_forward.up_bias,
      %layer2.feed_forward.down, %layer2.feed_forward.down_bias)
      : (!sample_stream, !vector, !vector, !up, !up_bias, !down,
         !vector) -> !sample_stream

  // Layer 3, attention.
  %layer3.attention.gain = nn.get @layer3.attention.gain : !vector
  %layer3.attention.shift = nn.get @layer3.attention.shift : !vector
  %layer3.attention.query = nn.get @layer3.attention.query : !to_heads
  %layer3.attention.query_bias = nn.get @layer3.attention.query_bias : !head_bias
  %layer3.attention.key = nn.get @layer3.attention.key : !to_heads
  %layer3.attention.key_bias = nn.get @layer3.attention.key_bias : !head_bias
  %layer3.attention.value = nn.get @layer3.attention.value : !to_heads
  %layer3.attention.value_bias = nn.get @layer3.attention.value_bias : !head_bias
  %layer3.attention.output = nn.get @layer3.attention.output : !from_heads
  %layer3.attention.output_bias = nn.get @layer3.attention.output_bias : !vector
  %stream7 = call @sample_attention(
      %stream6, %layer3.attention.gain, %layer3.attention.shift,
      %layer3.attention.query, %layer3.attention.query_bias,
      %layer3.attention.key, %layer3.attention.key_bias,
      %layer3.attention.value, %layer3.attention.value_bias,
      %layer3.attention.output, %layer3.attention.output_bias)
      : (!sample_stream, !vector, !vector, !to_heads, !head_bias, !to_heads,
         !head_bias, !to_heads, !head_bias, !from_heads,
         !vector) -> !sample_stream

  // Layer 3, feed forward.
  %layer3.feed_forward.gain = nn.get @layer3.feed_forward.gain : !vector
  %layer3.feed_forward.shift = nn.get @layer3.feed_forward.shift : !vector
  %layer3.feed_forward.up = nn.get @layer3.feed_forward.up : !up
  %layer3.feed_forward.up_bias = nn.get @layer3.feed_forward.up_bias : !up_bias
  %layer3.feed_forward.down = nn.get @layer3.feed_forward.down : !down
  %layer3.feed_forward.down_bias = nn.get @layer3.feed_forward.down_bias : !vector
  %stream8 = call @sample_feed_forward(
      %stream7, %layer3.feed_forward.gain, %layer3.feed_forward.shift,
      %layer3.feed_forward.up, %layer3.feed_forward.up_bias,
      %layer3.feed_forward.down, %layer3.feed_forward.down_bias)
      : (!sample_stream, !vector, !vector, !up, !up_bias, !down,
         !vector) -> !sample_stream

  %final.gain = nn.get @final.gain : !vector
  %final.shift = nn.get @final.shift : !vector
  %head = nn.get @head : !token_table
  %logits = call @sample_score(%stream8, %final.gain, %final.shift, %head)
      : (!sample_stream, !vector, !vector, !token_table) -> !sample_logits
  return %logits : !sample_logits
}
