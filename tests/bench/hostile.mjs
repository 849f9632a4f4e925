// Inputs for each parser: common ones, and ones made to be slow. Each function takes a length in bytes and returns an input of about that
// length, except for `deep` of printed models, which returns about half of it, and `256,000 tokens`, which ignores the length.

/** Makes numbered pieces until they have at least the given length in total. @param {number} length @param {(i: number) => string} piece */
function filled(length, piece) {
  const out = [];
  for (let i = 0, have = 0; have < length; i++) {
    out.push(piece(i));
    have += out[i].length;
  }
  return out;
}

/** @param {number} length @param {(i: number) => string} piece */
const lines = (length, piece) => filled(length, piece).join('\n');

/** The `i`-th of a sequence of pseudorandom numbers, which is the same in every run. @param {number} i */
const scattered = (i) => Math.imul(i + 1, 2654435761) >>> 11;

/** A safetensors file without its data, with `text` as the header. @param {string} text */
function header(text) {
  const written = new TextEncoder().encode(text);
  const out = new Uint8Array(8 + written.length);
  new DataView(out.buffer).setBigUint64(0, BigInt(written.length), true);
  out.set(written, 8);
  return out;
}

/**
 * A safetensors header of consecutive tensors. The offsets give each tensor four bytes, whatever its shape is.
 * @param {number} length @param {(i: number) => string} name @param {(i: number) => string} [shape]
 */
const tensors = (length, name, shape = () => '[2]') =>
  header(
    `{${filled(length, (i) => `"${name(i)}":{"dtype":"BF16","shape":${shape(i)},"data_offsets":[${4 * i},${4 * i + 4}]}`).join(',')}}`,
  );

const block = (/** @type {number} */ i, /** @type {number} */ d) => `    (${i}): LlamaDecoderLayer(
      (self_attn): LlamaAttention(
        (q_proj): Linear(in_features=${d}, out_features=${d}, bias=False)
        (k_proj): Linear(in_features=${d}, out_features=128, bias=False)
        (v_proj): Linear(in_features=${d}, out_features=128, bias=False)
        (o_proj): Linear(in_features=${d}, out_features=${d}, bias=False)
      )
      (mlp): LlamaMLP(
        (gate_proj): Linear(in_features=${d}, out_features=${3 * d}, bias=False)
        (up_proj): Linear(in_features=${d}, out_features=${3 * d}, bias=False)
        (down_proj): Linear(in_features=${3 * d}, out_features=${d}, bias=False)
        (act_fn): SiLU()
      )
      (input_layernorm): LlamaRMSNorm((${d},), eps=1e-06)
      (post_attention_layernorm): LlamaRMSNorm((${d},), eps=1e-06)
    )`;

/** @param {string} layers */
const llama = (layers) => `LlamaForCausalLM(
  (model): LlamaModel(
    (embed_tokens): Embedding(32000, 512)
    (layers): ModuleList(
${layers}
    )
    (norm): LlamaRMSNorm((512,), eps=1e-06)
  )
  (lm_head): Linear(in_features=512, out_features=32000, bias=False)
)`;

/** A printed model in which each module contains the next one. It has about half the given length. @param {number} length */
function nested(length) {
  const depth = Math.floor(Math.sqrt(length / 2));
  const rows = Array.from({ length: depth }, (_, i) => `${'  '.repeat(i + 1)}(m): Holder(`);
  return `Model(\n${rows.join('\n')}\n${'  '.repeat(depth + 1)}(x): Linear(in_features=2, out_features=3, bias=True)\n${')'.repeat(depth + 1)}`;
}

/** Encodes text with one byte per character. @param {string} text */
const bytes = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));

/** A little-endian integer, as in GGUF files and pickles. @param {number} value @param {number} [width] in bytes */
const little = (value, width = 8) =>
  Array.from({ length: width }, (_, i) => String.fromCharCode(i < 6 ? Math.floor(value / 256 ** i) % 256 : 0)).join('');
const counted = (/** @type {string} */ text) => little(text.length) + text;

/**
 * The beginning of a GGUF file: a header with `n` metadata values and some tensors. `values` and `written` are their encoded entries.
 * @param {string} values @param {number} n @param {string[]} written
 */
const gguf = (values, n, written) => bytes(`GGUF${little(3, 4)}${little(written.length)}${little(n)}${values}${written.join('')}`);

/** One tensor of a GGUF file. @param {number} i */
const ggufTensor = (i) => `${counted(`blk.${i}.ffn_up.weight`)}${little(1, 4)}${little(32)}${little(0, 4)}${little(128 * i)}`;

/** A string in a pickle (opcode BINUNICODE). @param {string} text */
const pickled = (text) => `X${little(text.length, 4)}${text}`;

/** One tensor of a state dict, as torch pickles it. @param {number} i @param {string} name */
const pickledTensor = (i, name) =>
  `${pickled(name)}ctorch._utils\n_rebuild_tensor_v2\n((${pickled('storage')}ctorch\nFloatStorage\n${pickled(String(i))}${pickled('cpu')}K\x04tQK\0K\x02K\x02\x86K\x02K\x01\x86\x89ccollections\nOrderedDict\n)RtR`;

/** @typedef {(length: number) => string | Uint8Array} Maker */
/** @typedef {{ config?: object, of: Readonly<Record<string, Maker>> }} Reader */

/** The inputs of each parser. @type {Readonly<Record<string, Reader>>} */
export const readers = {
  config: {
    of: {
      'unknown keys': (n) => `{"model_type":"llama",${filled(n, (i) => `"key_${i}":${i}`).join(',')}}`,
      'the same key': (n) => `{"model_type":"llama",${filled(n, () => '"hidden_size":64').join(',')}}`,
      'a list of words': (n) => `{"model_type":"qwen2","layer_types":[${filled(n, () => '"full_attention"').join(',')}]}`,
      'labels': (n) => `{"model_type":"bert","architectures":["BertForSequenceClassification"],"id2label":{${filled(n, (i) => `"${i}":"LABEL_${i}"`).join(',')}}}`, // prettier-ignore
      'deep lists': (n) => `{"model_type":"llama","x":${'['.repeat(n / 2)}${']'.repeat(n / 2)}}`,
      'deep objects': (n) => `{"model_type":"llama","x":${'{"a":'.repeat(n / 6)}1${'}'.repeat(n / 6)}}`,
      'a long number': (n) => `{"model_type":"llama","hidden_size":${'9'.repeat(n)}}`,
      'a long fraction': (n) => `{"model_type":"llama","rope_theta":0.${'1'.repeat(n)}}`,
      'a long word': (n) => `{"model_type":"${'llama'.repeat(n / 5)}"}`,
      escapes: (n) => `{"model_type":"llama","x":"${'\\u00e9'.repeat(n / 6)}"}`,
      'no end': (n) => `{"model_type":"llama","x":[${filled(n, () => '{"a":1}').join(',')}`,
      architectures: (n) => `{"model_type":"llama","architectures":[${filled(n, (i) => `"A${i}"`).join(',')}]}`,
      'params.json': (n) => `{"dim":64,"n_layers":2,"n_heads":4,"vocab_size":9,"norm_eps":1,${filled(n, (i) => `"key_${i}":${i}`).join(',')}}`, // prettier-ignore
      sections: (n) => `{"model_type":"llava",${filled(n, (i) => `"s${i}_config":{"hidden_size":${i}}`).join(',')}}`,
    },
  },
  safetensors: {
    of: {
      experts: (n) => tensors(n, (i) => `model.layers.${i >> 7}.mlp.experts.${i & 127}.w1.weight`),
      'forty indices': (n) => tensors(n, (i) => Array.from({ length: 40 }, (_, k) => scattered(i * 40 + k) % 90).join('.')),
      'forty rising': (n) => tensors(n, (i) => Array.from({ length: 40 }, (_, k) => (k === 39 ? i : k)).join('.')),
      'three scattered': (n) => tensors(n, (i) => `a.${scattered(i) % 999}.b.${scattered(i + 7) % 999}.c.${scattered(i + 9) % 999}`),
      'even indices': (n) => tensors(n, (i) => `layers.${2 * i}.weight`),
      'unlike names': (n) => tensors(n, (i) => `m${scattered(i)}.weight`),
      'unlike shapes': (n) => tensors(n, (i) => `layers.${i}.weight`, (i) => `[2,${i + 1}]`), // prettier-ignore
      'ones': (n) => tensors(n, (i) => `layers.${i}.w`, () => `[2${',1'.repeat(60)}]`), // prettier-ignore
      'the same name': (n) => tensors(n, () => 'model.norm.weight'),
      'the same indices': (n) => tensors(n, (i) => `layers.${i % 5}.weight`),
      overlapping: (n) => header(`{${filled(n, (i) => `"t${i}":{"dtype":"F32","shape":[9],"data_offsets":[0,36]}`).join(',')}}`),
      'backwards': (n) => header(`{${filled(n, (i) => `"t${i}":{"dtype":"U8","shape":[1],"data_offsets":[${n - i - 1},${n - i}]}`).join(',')}}`), // prettier-ignore
      scales: (n) => tensors(n, (i) => `m${i}.${['qweight', 'qzeros', 'scales', 'weight_packed', 'weight_scale'][i % 5]}`),
      'a long name': (n) => tensors(1, () => '1.'.repeat(n / 2)),
      'escaped names': (n) => tensors(n, (i) => `layers.${i}.${'\\u0061'.repeat(20)}`),
      metadata: (n) => header(`{"__metadata__":{${filled(n, (i) => `"k${i}":"${i}"`).join(',')}}}`),
      'unknown members': (n) => header(`{"a":{${filled(n, (i) => `"k${i}":[{}]`).join(',')}}}`),
      deep: (n) => header(`{"a":{"x":${'['.repeat(n / 2)}${']'.repeat(n / 2)}}}`),
      'brackets in names': (n) => tensors(n, (i) => `m[${i}].[${i}-${i + 1}].${i}`),
    },
  },
  'safetensors beside a configuration': {
    config: { model_type: 'mixtral' },
    of: {
      experts: (n) => tensors(n, (i) => `model.layers.${i >> 7}.block_sparse_moe.experts.${i & 127}.w1.weight`),
      'forty indices': (n) => tensors(n, (i) => Array.from({ length: 40 }, (_, k) => scattered(i * 40 + k) % 90).join('.')),
      'even indices': (n) => tensors(n, (i) => `model.layers.${2 * i}.input_layernorm.weight`),
      'three scattered': (n) =>
        tensors(n, (i) => `model.layers.${scattered(i) % 999}.b.${scattered(i + 7) % 999}.c.${scattered(i + 9) % 999}`),
      'layers with unlike shapes': (n) => tensors(n, (i) => `model.layers.${i}.input_layernorm.weight`, (i) => `[2,${i + 1}]`), // prettier-ignore
      'shapes that alternate': (n) => tensors(n, (i) => `model.layers.${i}.input_layernorm.weight`, (i) => `[${2 + (scattered(i) % 2)}]`), // prettier-ignore
      'unlike prefixes': (n) => tensors(n, (i) => `p${i}.model.layers.${i}.input_layernorm.weight`),
    },
  },
  index: {
    of: {
      'experts': (n) => `{"metadata":{},"weight_map":{${filled(n, (i) => `"model.layers.${i >> 7}.experts.${i & 127}.w1":"model-${i >> 9}.safetensors"`).join(',')}}}`, // prettier-ignore
      'a file each': (n) => `{"metadata":{},"weight_map":{${filled(n, (i) => `"m${i}":"model-${i}.safetensors"`).join(',')}}}`,
      sizes: (n) => `{"metadata":{${filled(n, (i) => `"total_size":${i}`).join(',')}},"weight_map":{}}`,
      'forty indices': (n) => `{"weight_map":{${filled(n, (i) => `"${Array.from({ length: 40 }, (_, k) => scattered(i * 40 + k) % 90).join('.')}":"a"`).join(',')}}}`, // prettier-ignore
    },
  },
  GGUF: {
    of: {
      '256,000 tokens': () =>
        gguf(
          `${counted('general.architecture')}${little(8, 4)}${counted('llama')}${counted('tokenizer.ggml.tokens')}${little(9, 4)}${little(8, 4)}${little(256_000)}${Array.from({ length: 256_000 }, (_, i) => counted(`token${i}`)).join('')}`,
          2,
          [ggufTensor(0)],
        ),
      tensors: (n) => gguf('', 0, filled(n, ggufTensor)),
      keys: (n) => {
        const keys = filled(n, (i) => `${counted(`key.${i}`)}${little(4, 4)}${little(i, 4)}`);
        return gguf(keys.join(''), keys.length, []);
      },
      'lists of nothing': (n) => {
        const keys = filled(n, (i) => `${counted(`k${i}`)}${little(9, 4)}${little(4, 4)}${little(0)}`);
        return gguf(keys.join(''), keys.length, []);
      },
    },
  },
  PyTorch: {
    of: {
      tensors: (n) => bytes(`\x80\x02}(${filled(n, (i) => pickledTensor(i, `layers.${i}.weight`)).join('')}u.`),
      'unlike names': (n) => bytes(`\x80\x02}(${filled(n, (i) => pickledTensor(i, `m${scattered(i)}`)).join('')}u.`),
      'deep lists': (n) => bytes(`\x80\x02${'('.repeat(n)}.`),
      memo: (n) => bytes(`\x80\x02}${filled(n, (i) => `q${String.fromCharCode(i % 256)}`).join('')}.`),
      'texts without end': (n) => bytes(`\x80\x02${pickled('a').repeat(n / 6)}`),
    },
  },
  'tensor list': {
    of: {
      JSON: (n) => `{${filled(n, (i) => `"model.layers.${i}.weight":[4096,4096]`).join(',')}}`,
      lines: (n) => lines(n, (i) => `model.layers.${i}.weight: [4096, 4096]`),
      'torch.Size': (n) => lines(n, (i) => `model.layers.${i}.weight torch.Size([4096, 4096]) torch.bfloat16`),
      'a table': (n) => lines(n, (i) => `│ ${i} │ model.layers.${i}.weight │ 4096×4096 │ BF16 │`),
      'a dict': (n) => `{${lines(n, (i) => `'model.layers.${i}.weight': (4096, 4096),`)}}`,
      'forty indices': (n) => lines(n, (i) => `${Array.from({ length: 40 }, (_, k) => scattered(i * 40 + k) % 90).join('.')}: [2]`),
      'unlike names': (n) => lines(n, (i) => `m${scattered(i)}.weight: [2]`),
      zeros: (n) => `a.b: [2]\na.c ${'0'.repeat(n)}`,
      'zeros in brackets': (n) => `a.b: [2]\na.c [${'0'.repeat(n)}`,
      brackets: (n) => `a.b: [2]\na.c ${'['.repeat(n)}`,
      'ones in brackets': (n) => `a.b: [2]\na.c ${'(1,'.repeat(n / 3)}`,
      products: (n) => `a.b: [2]\na.c ${'1x'.repeat(n / 2)}`,
      'sizes without end': (n) => `a.b: [2]\na.c ${'torch.Size([1'.repeat(n / 13)}`,
      blanks: (n) => `a.b: [2]\na.c ${`[${' '.repeat(99)}`.repeat(n / 100)}`,
      'a long name': (n) => `${'1.'.repeat(n / 2)}: [2]`,
      'carriage returns': (n) => filled(n, (i) => `model.layers.${i}.weight: [4096, 4096]`).join('\r'),
      'empty lines': (n) => `a.b: [2]${'\n'.repeat(n)}`,
      'lines that are none': (n) => `${lines(n / 2, (i) => `a.${i}: [2]`)}\n${lines(n / 2, (i) => `nothing at all ${i}`)}`,
    },
  },
  'tensor list beside a configuration': {
    config: { model_type: 'gpt2' },
    of: {
      lines: (n) => lines(n, (i) => `transformer.h.${i}.ln_1.weight: [768]`),
      'unlike names': (n) => lines(n, (i) => `m${scattered(i)}.weight: [2]`),
    },
  },
  'training programs': {
    of: {
      arguments: (n) => `--num-layers 2 --hidden-size 64 --num-attention-heads 4 ${filled(n, (i) => `--a${i} ${i}`).join(' ')}`,
      variables: (n) => `--num-layers $A --hidden-size $B --num-attention-heads 4 ${filled(n, (i) => `--a${i} $A${i}`).join('\n')}`,
      assignments: (n) => `--num-layers $A --hidden-size $A --num-attention-heads $A ${'--b $A '.repeat(300)}\n${'A=1\n'.repeat(n / 4)}`,
      switches: (n) => `--num-layers 2 --hidden-size 64 --num-attention-heads 4 ${'--hybrid-x 1 '.repeat(n / 13)}`,
      patterns: (n) =>
        `--num-layers 2 --hidden-size 64 --num-attention-heads 4 --vocab-size 9 --num-experts 2 --moe-layer-freq ${'[0]*99+'.repeat(n / 7)}[1]`,
      'a log': (n) => `num_layers ... 2\nhidden_size ... 64\nnum_attention_heads ... 4\n${lines(n, (i) => `a${i} ...... ${i}`)}`,
      'llama.cpp': (n) => `print_info: arch = llama\n${lines(n, (i) => `llama_model_loader: - kv ${i}: key.${i} u32 = ${i}`)}`,
      'llama.cpp, second list': (n) => `print_info: arch = llama\n${lines(n, (i) => `print_info: n_x${i} = ${i}`)}`,
      NeoX: (n) => `num-layers: 2\nhidden-size: 64\nnum-attention-heads: 4\npos-emb: rotary\n${lines(n, (i) => `a${i}: ${i}`)}`,
      files: (n) => lines(n, (i) => `-rw-r--r-- 1 root root ${i} Apr 18 12:00 model-${i}.safetensors`),
    },
  },
  'other notations': {
    of: {
      calls: (n) => filled(n, (i) => `dict(a${i}=1)`).join(' '),
      'calls without end': (n) => 'dict(a=['.repeat(n / 8),
      'braces without end': (n) => 'x = {'.repeat(n / 5),
      parentheses: (n) => `{'a': ${'('.repeat(n)}`,
      'comments without end': (n) => 'dict(/*'.repeat(n / 7),
      'strings without end': (n) => `dict(a="""`.repeat(n / 10),
      classes: (n) => 'class A:\n  a: int = 1\n'.repeat(n / 23),
      prompts: (n) => '>>> x\n'.repeat(n / 6),
      'a long dict': (n) => `{${filled(n, (i) => `'k${i}': (${i},),`).join('')}}`,
      'a long YAML': (n) => lines(n, (i) => `k${i}: ${i}`),
      'nested YAML': (n) => lines(n, (i) => `${' '.repeat(i % 60)}k${i}:`),
      'flow without end': (n) => `a: ${'['.repeat(n)}`,
      recipes: (n) => `base_model: a/b\n${lines(n, (i) => `- ${i}`)}`,
      'a table of layers': (n) => `Layer (type)  Param #\n${lines(n, (i) => `├─Linear: ${i}  ${i}`)}\nTotal params: 1`,
      'names and numbers': (n) => lines(n, (i) => `m${scattered(i)}.weight ${i}`),
      'a dump': (n) => lines(n, (i) => `${i}: 6 | 3, 2, 1, 1 | F32 | t${scattered(i)}.weight`),
      'shapes on one line': (n) => `{${filled(n, (i) => `'m${scattered(i)}.weight': (2, 3), `).join('')}}`,
      'UTF-16': (n) => new Uint8Array(Uint16Array.from(`\ufeff${'a.b: [2]\n'.repeat(n / 18)}`, (c) => c.charCodeAt(0)).buffer),
    },
  },
  'printed model': {
    of: {
      'like layers': (n) => llama(filled(n, (i) => block(i, 512)).join('\n')),
      'unlike layers': (n) => llama(filled(n, (i) => block(i, 512 + i)).join('\n')),
      'scattered layers': (n) => llama(filled(n, (i) => block(i, 64 + (scattered(i) % 4096))).join('\n')),
      'unlike names': (n) => llama(filled(n, (i) => block(i, 512).replaceAll('_proj', `_p${i}`)).join('\n')),
      'unlike classes': (n) => llama(filled(n, (i) => block(i, 512).replaceAll('Llama', `Own${i}`)).join('\n')),
      linears: (n) => `Net(\n${lines(n, (i) => `  (l${i}): Linear(in_features=${i + 1}, out_features=2, bias=True)`)}\n)`,
      'no sizes': (n) => `Net(\n${lines(n, (i) => `  (n${i}): RMSNorm()`)}\n)`,
      deep: nested,
      'words before': (n) => `${lines(n, (i) => `INFO step ${i} (loss): ${i}.5`)}\n${llama(block(0, 512))}`,
      models: (n) => lines(n, () => llama(block(0, 512))),
      brackets: (n) => `Net(\n  (a): Linear(${'('.repeat(n)}`,
      'a long line': (n) => `Net(\n  (a): Linear(${filled(n, (i) => `k${i}=${i}`).join(', ')})\n)`,
      'a long name': (n) => `Net(\n  (${'a'.repeat(n)}): Linear(in_features=1, out_features=2, bias=True)\n)`,
      'repeated': (n) => llama(filled(n, (i) => block(i, 512).replace(`(${i})`, `(${3 * i}-${3 * i + 1}): 2 x`).replace('x:', 'x')).join('\n')), // prettier-ignore
      'lists in lists': (n) => `Net(\n${lines(n, (i) => `  (${i}): ModuleList(\n    (0-3): 4 x Linear(in_features=${1 + (i % 7)}, out_features=2, bias=True)\n  )`)}\n)`, // prettier-ignore
      'adapters': (n) => llama(filled(n, (i) => block(i, 512).replace(/\(q_proj\): Linear\((.*)\)/, `(q_proj): lora.Linear(\n          (base_layer): Linear($1)\n          (lora_A): ModuleDict(\n            (default): Linear(in_features=512, out_features=8, bias=False)\n          )\n        )`)).join('\n')), // prettier-ignore
    },
  },
  'printed model beside a configuration': {
    config: { model_type: 'llama' },
    of: {
      'like layers': (n) => llama(filled(n, (i) => block(i, 512)).join('\n')),
      'unlike layers': (n) => llama(filled(n, (i) => block(i, 512 + i)).join('\n')),
    },
  },
  anything: {
    of: {
      words: (n) => lines(n, (i) => `There are ${i} words (and more) on this line: none of them is a tensor.`),
      'one line': (n) => 'x'.repeat(n),
      figures: (n) => '1'.repeat(n),
      brackets: (n) => '('.repeat(n),
      braces: (n) => '{'.repeat(n),
      lists: (n) => '['.repeat(n),
      quotes: (n) => '"'.repeat(n),
      fences: (n) => '```\n'.repeat(n / 4),
      'zero bytes': (n) => new Uint8Array(n),
      'no UTF-8': (n) => new Uint8Array(n).fill(200),
      'a page': (n) => `<html>${'<p>'.repeat(n / 3)}`,
    },
  },
};
