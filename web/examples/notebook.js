// Passes configurations to the elements as properties, as notebooks do, and reads the answer from an event. The properties may be set
// before the element is defined.

const config = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 32,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  vocab_size: 128256,
};
const [full, grouped] = ['full', 'grouped'].map((id) => document.getElementById(id));
full.config = config;
grouped.config = { ...config, num_key_value_heads: 8 };

grouped.addEventListener('ledger-answer', ({ detail }) => {
  const { value } = detail.answer.symbols.find(({ name }) => name === 'num_key_value_heads');
  document.querySelector('output').textContent = `${value} key-value heads: ${detail.answer.totals.parameters} parameters`;
});
