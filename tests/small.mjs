/** A model with 95,040 parameters, which are easily counted by hand. */
export const small = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 128,
  vocab_size: 100,
};
