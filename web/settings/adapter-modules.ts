// Resolves short names of the modules that get adapters: `q,v` stands for q_proj and v_proj, for query and value, or for another pair of
// names in the table below.

/** The module names that a short name may stand for. The first one that the model has is used, unless a module is called the short name. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  q: ['q_proj', 'query', 'q_lin', 'wq', 'q'],
  k: ['k_proj', 'key', 'k_lin', 'wk', 'k'],
  v: ['v_proj', 'value', 'v_lin', 'wv', 'v'],
  o: ['o_proj', 'out_proj', 'out_lin', 'wo', 'o'],
  qkv: ['qkv_proj', 'query_key_value', 'c_attn', 'Wqkv', 'wqkv', 'W_pack', 'qkv'],
  gate: ['gate_proj', 'w1'],
  up: ['up_proj', 'w3', 'fc1', 'c_fc'],
  down: ['down_proj', 'w2', 'fc2'],
};

/**
 * The module names to pass to peft. If a typed name stands for no module of the model, `unknown` is the first such name, and `known` lists
 * the last path component of every module that has a weight.
 */
export type AdapterModules = { readonly modules: readonly string[] } | { readonly unknown: string; readonly known: readonly string[] };

/** Resolves `typed`, which contains names separated by commas or spaces. `tensors` are the names of the model's rows. */
export function findAdapterModules(typed: string, tensors: readonly string[]): AdapterModules {
  const paths = tensors.flatMap((name) => /^(.*)\.weight$/.exec(name)?.[1] ?? []);
  const has = (module: string) => paths.some((path) => path === module || path.endsWith(`.${module}`));
  const modules: string[] = [];
  for (const word of typed.split(/[\s,]+/).filter(Boolean)) {
    const module = has(word) ? word : (SHORT[word.toLowerCase()] ?? []).find(has);
    if (module === undefined)
      return { unknown: word, known: [...new Set(paths.map((path) => path.slice(path.lastIndexOf('.') + 1)))].sort() };
    modules.push(module);
  }
  return { modules: [...new Set(modules)] };
}
