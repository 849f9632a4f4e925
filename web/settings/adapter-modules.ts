// The modules that adapters are added to, by short names: `q,v` for this model's q_proj and v_proj, query and value, …

/** The full names of a short name; the first one that the model has. Fused projections have none. */
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

/** As peft matches them; or the first name that the model lacks, with the names that it has. */
export type AdapterModules = { readonly modules: readonly string[] } | { readonly unknown: string; readonly known: readonly string[] };

/** `typed`: names separated by commas or spaces. `tensors`: the names of the model's rows. */
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
