// Variants of a model that its own type need not allow: no gate, or a dense network instead of a mixture of experts. They are
// configurations of `generic`, offered only if `generic` reproduces the model's tensors exactly.

import type { Variant } from '../answer/variants.ts';
import type { ConfigInput, CountAnswer } from '../types/index.ts';
import { toGenericConfig, type Asked } from './generic-config.ts';

/** The fields of `generic` that describe a mixture of experts. */
const MIXTURE = /^(num_experts|num_experts_per_tok|moe_|mlp_layer_types$|shared_expert|router_|expert_|n_group$|topk_group$)/;

/** `of`: the configuration that `answer` was computed from. */
export function listGenericVariants(answer: CountAnswer, counter: Asked, of: ConfigInput): Variant[] {
  const { config, exact } = toGenericConfig(answer, counter, of);
  if (!exact) return [];
  const vary = (choice: Variant['choice'], changed: object, field?: Variant['field']): Variant[] => {
    const text = `${JSON.stringify(changed, null, 2)}\n`;
    const counted = counter.count(text);
    if (!counted.ok || counted.totals.parameters === answer.totals.parameters) return [];
    return [{ choice, text, parameters: counted.totals.parameters, field }];
  };
  const dense = Object.fromEntries(Object.entries(config).filter(([name]) => !MIXTURE.test(name)));
  return [
    ...(config.gated_mlp === true ? vary('no_gate', { ...config, gated_mlp: false }, ['gated_mlp', 'true', 'false']) : []),
    ...(config.num_experts !== undefined ? vary('dense', dense, ['num_experts', String(config.num_experts), '']) : []),
  ];
}
