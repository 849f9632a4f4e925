// Determines the order in which data flows through a layer from the names and shapes of its tensors, the model type and the settings. If
// they do not settle the order, the modules of the layer are drawn as a list, without arrows between them.

import { findMainPart, type Block, type Module, type Unit } from './layer-blocks.ts';

/** The role of a unit, which is a weight with its bias, in its module. */
export type Duty =
  | 'query'
  | 'key'
  | 'value'
  | 'query_key_value'
  | 'query_norm'
  | 'key_norm'
  | 'query_down'
  | 'query_down_norm'
  | 'query_up'
  | 'key_value_down'
  | 'key_value_down_norm'
  | 'key_value_up'
  | 'score_bias'
  | 'score_bias_width'
  | 'output'
  | 'in'
  | 'kernel'
  | 'scan_in'
  | 'step'
  | 'step_bias'
  | 'decay'
  | 'skip'
  | 'norm'
  | 'beta'
  | 'gate'
  | 'up'
  | 'gate_and_up'
  | 'down'
  | 'scale'
  | 'router'
  | 'router_bias'
  | 'shared_gate'
  | 'latent_down'
  | 'latent_up'
  | 'index_query'
  | 'index_key'
  | 'index_key_norm'
  | 'index_weights'
  | 'step_norm'
  | 'b_norm'
  | 'c_norm'
  | 'step_and_beta'
  | 'offsets'
  | 'weights';

/** Patterns for the names of units in attention, and the role that each indicates. */
const ATTENTION: readonly (readonly [RegExp, Duty])[] = [
  [/^indexer\.wq_b$/, 'index_query'],
  [/^indexer\.wk$/, 'index_key'],
  [/^indexer\.k_norm$/, 'index_key_norm'],
  [/^indexer\.weights_proj$/, 'index_weights'],
  [/(^|\.)(q_proj|query|query_proj|q|wq|q_lin)$/, 'query'],
  [/(^|\.)(k_proj|key|key_proj|k|wk|k_lin)$/, 'key'],
  [/(^|\.)(v_proj|value|value_proj|v|wv|v_lin)$/, 'value'],
  [/(^|\.)(qkv_proj|qkv|query_key_value|c_attn|Wqkv|wqkv)$/, 'query_key_value'],
  [/^(q_norm|q_layernorm)$/, 'query_norm'],
  [/^(k_norm|k_layernorm)$/, 'key_norm'],
  [/^q_a_proj$/, 'query_down'],
  [/^q_a_layernorm$/, 'query_down_norm'],
  [/^q_b_proj$/, 'query_up'],
  [/^kv_a_proj_with_mqa$/, 'key_value_down'],
  [/^kv_a_layernorm$/, 'key_value_down_norm'],
  [/^kv_b_proj$/, 'key_value_up'],
  [/(^|\.)(sinks|relative_attention_bias|relative_position_bias_table|rel_pos_h)$/, 'score_bias'],
  [/(^|\.)rel_pos_w$/, 'score_bias_width'],
  [/(^|\.)(o_proj|out_proj|o|wo|c_proj|out_lin|output\.dense|dense|proj|projection|projection_layer)$/, 'output'],
];
const FEED_FORWARD: readonly (readonly [RegExp, Duty])[] = [
  [/(^|\.)(gate_proj|w1|wi_0)$/, 'gate'],
  [/(^|\.)(up_proj|w3|wi_1|wi|fc1|fc_in|c_fc|lin1|linear_fc1|dense_h_to_4h|intermediate[._]dense|proj_1|ffn)$/, 'up'],
  [/(^|\.)(gate_up_proj|gate_and_up_proj|input_linear)$/, 'gate_and_up'],
  [/(^|\.)(down_proj|w2|wo|fc2|fc_out|c_proj|lin2|linear_fc2|dense_4h_to_h|output_linear|output[._]dense|proj_2|ffn_output)$/, 'down'],
  [/(^|\.)(lambda_?[12]|layer_scale2?)$/, 'scale'],
];
/** Unit names in deformable attention, in which each query attends to a few sampled values. */
const SAMPLING: readonly (readonly [RegExp, Duty])[] = [
  [/^value_proj$/, 'value'],
  [/^sampling_offsets$/, 'offsets'],
  [/^attention_weights$/, 'weights'],
  [/^output_proj$/, 'output'],
];
/** Unit names in Mamba, Mamba 2 and Jamba's variant of Mamba, which has additional norms. */
const SCAN: readonly (readonly [RegExp, Duty])[] = [
  [/^in_proj$/, 'in'],
  [/^conv1d$/, 'kernel'],
  [/^x_proj$/, 'scan_in'],
  [/^dt_proj$/, 'step'],
  [/^dt_layernorm$/, 'step_norm'],
  [/^b_layernorm$/, 'b_norm'],
  [/^c_layernorm$/, 'c_norm'],
  [/^dt_bias$/, 'step_bias'],
  [/^A_log$/, 'decay'],
  [/^D$/, 'skip'],
  [/^norm$/, 'norm'],
  [/^out_proj$/, 'output'],
];
/** Unit names in Gated DeltaNet, as in Qwen3.5 and Qwen3-Next. Qwen3-Next has two input projections instead of four. */
const DELTA: readonly (readonly [RegExp, Duty])[] = [
  [/^in_proj_qkvz?$/, 'in'],
  [/^in_proj_ba$/, 'step_and_beta'],
  [/^in_proj_z$/, 'gate'],
  [/^in_proj_a$/, 'step'],
  [/^in_proj_b$/, 'beta'],
  [/^conv1d$/, 'kernel'],
  [/^dt_bias$/, 'step_bias'],
  [/^A_log$/, 'decay'],
  [/^norm$/, 'norm'],
  [/^out_proj$/, 'output'],
];
/** Unit names in the short convolution of LFM2. */
const SHORT: readonly (readonly [RegExp, Duty])[] = [
  [/^in_proj$/, 'in'],
  [/^conv$/, 'kernel'],
  [/^out_proj$/, 'output'],
];
const MIXTURE: readonly (readonly [RegExp, Duty])[] = [
  [/^(gate|router)(\.weight|\.layer)?$/, 'router'],
  [/^(gate|router)\.e_score_correction_bias$/, 'router_bias'],
  [/^shared_expert_gate$/, 'shared_gate'],
  [/^fc1_latent_proj$/, 'latent_down'],
  [/^fc2_latent_proj$/, 'latent_up'],
];

type Found = ReadonlyMap<Duty, Unit>;

/** Assigns a role to each unit; undefined if a role is unknown or occurs twice. */
function assign(units: readonly Unit[], duties: readonly (readonly [RegExp, Duty])[]): Found | undefined {
  const found = new Map<Duty, Unit>();
  for (const unit of units) {
    const name = unit.name.replace(/\.linear$/, ''); // in Gemma 4, `linear` is inside a module that clips its input and output
    const duty = duties.find(([pattern]) => pattern.test(name))?.[1];
    if (!duty || found.has(duty)) return undefined;
    found.set(duty, unit);
  }
  return found;
}

const has = (found: Found | undefined, ...duties: Duty[]) => duties.every((duty) => found?.has(duty));

/** Experts that all have equal shapes: their number, and how many of them one token uses. */
export interface Experts {
  readonly name: string;
  readonly units: readonly Unit[];
  readonly count: number;
  readonly used: number;
}

export type Flow =
  /** `across`: keys and values come from another sequence. */
  | { readonly kind: 'attention'; readonly units: Found; readonly across: boolean }
  | { readonly kind: 'sampling'; readonly units: Found; readonly across: boolean }
  /** A convolution, then its norm. */
  | { readonly kind: 'convolution'; readonly units: Found }
  /** Gate and up projections, as two matrices or as one, or only an up projection; then the down projection. */
  | { readonly kind: 'network'; readonly units: Found }
  | { readonly kind: 'mamba' | 'mamba_2' | 'gated_delta' | 'short_convolution'; readonly units: Found }
  | {
      readonly kind: 'mixture';
      readonly units: Found;
      readonly experts: Experts;
      readonly shared?: Experts;
    };

function findNetwork(units: readonly Unit[]): Flow | undefined {
  const found = assign(units, FEED_FORWARD);
  const inputs = found && [...found.keys()].filter((duty) => duty !== 'down' && duty !== 'scale').join();
  return found?.has('down') && /^(gate,up|up,gate|up|gate_and_up)$/.test(inputs ?? '') ? { kind: 'network', units: found } : undefined;
}

/** Whether one matrix produces both keys and values, as in the global attention of some Gemma 4 models. */
const isKeyValue = (found: Found | undefined) => found?.size === 5 && has(found, 'query', 'query_norm', 'key', 'key_norm', 'output');

/** Names of modules that attend to the output of another model or stack. */
const ACROSS = /cross|encoder_attn|EncDec/i;

function findAttention({ name, units }: Module): Flow | undefined {
  const found = assign(units, ATTENTION);
  const sampling = assign(units, SAMPLING);
  if (sampling?.size === SAMPLING.length) return { kind: 'sampling', units: sampling, across: ACROSS.test(name) };
  const queries = has(found, 'query') !== has(found, 'query_down', 'query_up');
  const whole =
    has(found, 'query_key_value') ||
    (has(found, 'query', 'key', 'value') && !has(found, 'key_value_down')) ||
    isKeyValue(found) ||
    (queries && has(found, 'key_value_down', 'key_value_up') && !has(found, 'key'));
  const indexes = (['index_query', 'index_key', 'index_key_norm', 'index_weights'] as const).filter((duty) => has(found, duty));
  if (indexes.length % 4 > 0 || (indexes.length > 0 && !has(found, 'query_down_norm'))) return undefined;
  const across = ACROSS.test(name) || units.some((unit) => ACROSS.test(unit.name));
  if (across && !has(found, 'query', 'key', 'value')) return undefined;
  return found && has(found, 'output') && whole ? { kind: 'attention', units: found, across } : undefined;
}

/**
 * Recognises a state-space mixer, linear attention or a short convolution, which must have exactly the expected tensors, or a convolution
 * of ResNet or RegNet.
 */
function findMixer({ units }: Module): Flow | undefined {
  const is = (found: Found | undefined, ...duties: Duty[]) => found?.size === duties.length && has(found, ...duties);
  const scan = assign(units, SCAN);
  if (is(scan, 'in', 'kernel', 'scan_in', 'step', 'decay', 'skip', 'output')) return { kind: 'mamba', units: scan as Found };
  if (is(scan, 'in', 'kernel', 'scan_in', 'step_norm', 'b_norm', 'c_norm', 'step', 'decay', 'skip', 'output'))
    return { kind: 'mamba', units: scan as Found };
  if (is(scan, 'in', 'kernel', 'step_bias', 'decay', 'skip', 'output')) return { kind: 'mamba_2', units: scan as Found };
  if (is(scan, 'in', 'kernel', 'step_bias', 'decay', 'skip', 'norm', 'output')) return { kind: 'mamba_2', units: scan as Found };
  const delta = assign(units, DELTA);
  if (is(delta, 'in', 'gate', 'step', 'beta', 'kernel', 'step_bias', 'decay', 'norm', 'output'))
    return { kind: 'gated_delta', units: delta as Found };
  if (is(delta, 'in', 'step_and_beta', 'kernel', 'step_bias', 'decay', 'norm', 'output'))
    return { kind: 'gated_delta', units: delta as Found };
  const short = assign(units, SHORT);
  if (is(short, 'in', 'kernel', 'output')) return { kind: 'short_convolution', units: short as Found };
  return findConvolution(units);
}

/** Recognises the convolutions of ResNet and RegNet. The running mean and variance belong to the norm. */
function findConvolution(units: readonly Unit[]): Flow | undefined {
  const [kernel, norm, ...statistics] = units;
  if (kernel.name !== 'convolution' || norm?.name !== 'normalization' || statistics.some(({ rows }) => rows[0].kind === 'parameter'))
    return undefined;
  const whole = { ...norm, rows: [...norm.rows, ...statistics.flatMap(({ rows }) => rows)] };
  return { kind: 'convolution', units: new Map<Duty, Unit>([['kernel', kernel], ['norm', whole]]) }; // prettier-ignore
}

/** Merges biases into the units of their weights. GPT-OSS stores the biases of experts under separate names: `experts.down_proj_bias`. */
function joinBiases(units: readonly Unit[]): readonly Unit[] {
  const owner = (unit: Unit) => units.find(({ name }) => unit.name === `${name}_bias`);
  return units
    .filter((unit) => !owner(unit))
    .map((unit) => ({ ...unit, rows: [...unit.rows, ...units.filter((bias) => owner(bias) === unit).flatMap(({ rows }) => rows)] }));
}

function findMixture({ units: all, groups }: Module): Flow | undefined {
  const units = joinBiases(all);
  const isExpert = ({ name, rows }: Unit) => /^(experts\.|input_linear$|output_linear$)/.test(name) && rows[0].shape.length === 3;
  const isShared = ({ name }: Unit) => /^shared_(experts?|mlp)\./.test(name);
  const stacked = units.filter(isExpert);
  const group = groups[0] ?? (stacked.length > 0 && { name: 'experts', units: stacked, copies: BigInt(stacked[0].rows[0].shape[0]) });
  if (!group || groups.length > 1 || (groups.length === 1 && stacked.length > 0) || !findNetwork(group.units)) return undefined;
  const found = assign(
    units.filter((unit) => !isExpert(unit) && !isShared(unit)),
    MIXTURE,
  );
  const own = units.filter(isShared);
  const shared = findNetwork(own) && { name: own[0].name.split('.')[0], units: own, count: 1, used: 1 };
  if (!has(found, 'router') || (own.length > 0 && !shared) || (has(found, 'shared_gate') && !shared)) return undefined;
  if (has(found, 'latent_down') !== has(found, 'latent_up')) return undefined;
  const { active, total } = group.units[0].rows[0];
  if (total === '0') return undefined; // experts without elements do not show how many of them a token uses
  const used = (BigInt(active) * group.copies) / BigInt(total);
  return {
    kind: 'mixture',
    units: found as Found,
    experts: { name: group.name, units: group.units, count: Number(group.copies), used: Number(used) },
    shared,
  };
}

/** Finds the data flow within a module. Undefined if the names and shapes of its tensors do not determine it. */
export const findFlow = (module: Module): Flow | undefined => {
  if (module.groups.length > 0 || module.units.some(({ rows }) => rows[0].shape.length === 3 && rows[0].role !== 'kernel'))
    return findMixture(module);
  if (module.units.some(({ rows }) => rows[0].role === 'kernel')) return findMixer(module);
  return findNetwork(module.units) ?? findAttention(module);
};

/** An element of a lane: a module or an activation function. */
export type Item = Module | 'activation';

/** A residual step: the outputs of its lanes are added to the residual stream. */
export interface Step {
  /** Modules applied before the lanes, such as a norm whose output all lanes read. */
  readonly before: readonly Module[];
  /** Parallel lanes. The modules in a lane follow one another. */
  readonly lanes: readonly (readonly Item[])[];
  /**
   * True if the sum of the lanes replaces the stream instead of being added to it: one lane is a shortcut, or there is no residual
   * connection.
   */
  readonly replaces?: boolean;
  /** What is applied to the sum, such as a norm or an activation function. */
  readonly after: readonly Item[];
}

/** Module names of layers with pre-norm residual blocks, as in Llama, GPT-2, ViT, CLIP, Mamba and RecurrentGemma. */
const NORM_FIRST = [
  /^input_layernorm (self_attn|self_attention|linear_attn) post_attention_layernorm (mlp|block_sparse_moe|feed_forward)$/,
  /^layer_norm1 (self_attn|attn) layer_norm2 mlp$/,
  /^layernorm_before attention layernorm_after intermediate, output$/,
  /^layer_norm_1 attention layer_norm_2 mlp$/,
  /^norm1 (attn|attention) norm2 mlp$/,
  /^attn_norm attn mlp_norm mlp$/,
  /^norm_1 attn norm_2 ffn$/,
  /^input_layernorm (mamba|self_attn) pre_ff_layernorm feed_forward$/,
  /^ln_1 attn ln_2 mlp$/,
  /^attention_norm attention ffn_norm feed_forward$/,
  /^rms_norm1 attention rms_norm2 ffn$/,
  /^operator_norm (conv|self_attn) ffn_norm feed_forward$/,
  /^norm mixer$/,
  /^attn_norm attn ffn_norm ffn$/,
  /^temporal_pre_norm temporal_block channel_pre_norm mlp_block$/,
  /^layer_norm1 attention layer_norm2 mlp$/,
];
/** Model types with the module names of other types, although the order of their modules differs or depends on the configuration. */
const OTHERWISE = /^(minimax|swinv2|swin2sr|bloom|stablelm|chatglm|xmod)$/;
/** Like NORM_FIRST, but a vector scales each block's output, as in DINOv2, BEiT, InternViT and Mimi. */
const SCALED = /^(norm1 attention layer_scale1 norm2 mlp, layer_scale2|layernorm_before attention lambda_1 layernorm_after (intermediate, output, lambda_2|mlp lambda_2)|input_layernorm self_attn self_attn_layer_scale post_attention_layernorm mlp,? mlp_layer_scale)$/; // prettier-ignore
/** Module names in layers with a norm before and a norm after each block, then the residual sum. */
const SANDWICHED =
  /^input_layernorm self_attn (post_attention_layernorm pre_feedforward_layernorm mlp post_feedforward_layernorm|post_self_attn_layernorm post_attention_layernorm mlp post_mlp_layernorm)$/;
const SANDWICHED_T5 =
  /^pre_self_attn_layernorm self_attn post_self_attn_layernorm pre_feedforward_layernorm mlp post_feedforward_layernorm( cross_attn pre_cross_attn_layernorm post_cross_attn_layernorm)?$/;
/** Module names in Gemma 4's vision tower. They are not listed in the order of the forward pass, but show where the norms are. */
const SANDWICHED_LATE = /^self_attn mlp input_layernorm post_attention_layernorm pre_feedforward_layernorm post_feedforward_layernorm$/;
/** Module names in the layers of wav2vec 2.0. A configuration field may move the norms before the blocks. */
const SPEECH = /^attention layer_norm feed_forward final_layer_norm$/;
/** Module names in the feature-extractor convolutions of wav2vec 2.0. Some of these convolutions have a norm. */
const WAVE_CONVOLUTIONS = /^conv( layer_norm)?$/;
/** Module names in the Transformer layers of SeamlessM4T, as opposed to its Conformer layers. */
const SEAMLESS = /^self_attn self_attn_layer_norm (cross_attention cross_attention_layer_norm )?ffn ffn_layer_norm$/;
/**
 * Module names in the layers of ResNet, and of RegNet without squeeze-and-excitation: convolutions and a shortcut. The shortcut has a
 * convolution of its own if the width or the resolution changes.
 */
const CONVOLUTIONS = /^(shortcut )?layer\.0 layer\.1( layer\.2)?$/;
/** Module names in the layers of ConvNeXt and ConvNeXt V2. */
const CONVNEXT = /^dwconv layernorm pwconv1 (grn pwconv2|pwconv2( layer_scale_parameter)?)$/;
/** Module names in layers with a norm after each block, before the residual sum, as in OLMo 2. */
const NORM_LAST = /^self_attn post_attention_layernorm mlp post_feedforward_layernorm$/;
/** Module names in layers with a norm after each residual sum, as in DistilBERT. */
const NORM_AFTER_SUM = /^attention sa_layer_norm ffn output_layer_norm$/;
const PARALLEL = /^(input_layernorm|ln_1) (self_attn|self_attention|attn) mlp$/;
const PARALLEL_NORMS = /^ln_attn self_attention ln_mlp mlp$/;
/**
 * Module names in the layers of BART and of models with its names, such as Whisper, OPT and DETR. Depending on the model type, the norm
 * comes before the block or after the residual sum.
 */
const NAMED_AFTER_BLOCKS = /^self_attn self_attn_layer_norm (encoder_attn encoder_attn_layer_norm )?fc1, fc2 final_layer_norm$/;
const FIRST = /^(bigbird_pegasus|biogpt|blenderbot|m2m_100|mbart|musicgen|pegasus|pegasus_x|qwen2_audio|qwen2_5_omni|qwen2_5_omni_thinker|qwen3_asr|speech_to_text|table-transformer|voxtral|whisper|xglm|audioflamingo3)$/; // prettier-ignore
const WAVES = /^(wav2vec2|hubert|unispeech|unispeech-sat|data2vec-audio|wavlm|sew)$/;
const AFTER_SUM = /^(bart|blenderbot-small|conditional_detr|deformable_detr|detr|florence2|fsmt|led|marian|mvp|plbart|rag|trocr)$/;

/** The fields of a configuration by name, as in config.json. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * The type and settings of the model that a block belongs to: for blocks under `language_model`, those in text_config, if it has a type.
 */
export function ownerOf({ list }: Block, type: string, settings: Settings): { type: string; settings: Settings } {
  const text = settings.text_config as Settings | undefined;
  return /(^|\.)language_model\./.test(list) && typeof text?.model_type === 'string'
    ? { type: text.model_type, settings: text }
    : { type, settings };
}

/** Finds the residual steps of a layer from input to output; undefined if names and settings do not determine them. */
export function findSteps(block: Block, type: string, settings: Settings = {}): Step[] | undefined {
  const { modules } = block;
  const names = modules.map(({ name }) => name).join(' ');
  const step = (...lane: Module[]): Step => ({ before: [], lanes: [lane], after: [] });
  const inPairs = <T>(make: (a: Module, b: Module) => T) =>
    modules.flatMap((module, i) => (i % 2 === 0 && modules[i + 1] ? [make(module, modules[i + 1])] : []));
  const normAfterSum = (main: Module, norm: Module): Step => ({ before: [], lanes: [[main]], after: [norm] });
  // With these settings, Chameleon and Molmo 2 apply the norm after the block, although their modules are named as in pre-norm layers.
  if (settings.swin_norm === true || settings.norm_after === true) return undefined;
  if (/^openai.gpt/.test(type)) return names === 'ln_1 attn ln_2 mlp' ? inPairs((norm, main) => normAfterSum(main, norm)) : undefined;
  if (/^gpt_neox/.test(type) && /^input_layernorm attention post_attention_layernorm mlp$/.test(names)) {
    const parallel = type === 'gpt_neox' && settings.use_parallel_residual !== false;
    const lanes = inPairs((norm, main) => [norm, main]);
    return parallel ? [{ before: [], lanes, after: [] }] : lanes.map((lane) => step(...lane));
  }
  const isSettled =
    !OTHERWISE.test(type) || type === 'stablelm' || (type === 'bloom' && settings.apply_residual_connection_post_layernorm !== true);
  if (isSettled && NORM_FIRST.some((pattern) => pattern.test(names))) return inPairs((norm, main) => step(norm, main));
  if (SCALED.test(names)) return [step(...modules.slice(0, 3)), step(...modules.slice(3))];
  if (SANDWICHED.test(names)) return [step(...modules.slice(0, 3)), step(...modules.slice(3))];
  if (SANDWICHED_T5.test(names)) {
    const [cross, before, after] = modules.slice(6);
    return [step(...modules.slice(0, 3)), ...(cross ? [step(before, cross, after)] : []), step(...modules.slice(3, 6))];
  }
  if (SANDWICHED_LATE.test(names)) {
    const [attention, network, input, afterAttention, beforeNetwork, afterNetwork] = modules;
    return [step(input, attention, afterAttention), step(beforeNetwork, network, afterNetwork)];
  }
  if (/^input_layernorm mamba self_attn pre_ff_layernorm feed_forward$/.test(names)) {
    const [norm, mamba, attention, ...network] = modules;
    return [{ before: [norm], lanes: [[mamba], [attention]], after: [] }, step(...network)];
  }
  if (SPEECH.test(names) && WAVES.test(type)) {
    const [attention, norm, network, last] = modules;
    if (settings.do_stable_layer_norm === true && type !== 'data2vec-audio') return [step(norm, attention), step(last, network)];
    return [normAfterSum(attention, norm), normAfterSum(network, last)];
  }
  if (WAVE_CONVOLUTIONS.test(names) && block.list.endsWith('feature_extractor.conv_layers')) {
    // A drawing can name only one activation function, so the convolutions must use that of the transformer layers.
    const isAlike = (settings.feat_extract_activation ?? 'gelu') === (settings.hidden_act ?? 'gelu');
    return isAlike ? [{ before: [], lanes: [[...modules, 'activation']], replaces: true, after: [] }] : undefined;
  }
  if (SEAMLESS.test(names)) return inPairs((main, norm) => step(norm, main));
  if (CONVOLUTIONS.test(names) && modules.every((module) => findFlow(module)?.kind === 'convolution')) {
    const main = modules.filter(({ name }) => name !== 'shortcut').flatMap((module, i): Item[] => (i > 0 ? ['activation', module] : [module])); // prettier-ignore
    const shortcut = modules.filter(({ name }) => name === 'shortcut');
    return [{ before: [], lanes: [main, ...shortcut.map((module) => [module])], replaces: shortcut.length > 0, after: ['activation'] }];
  }
  if (CONVNEXT.test(names)) {
    const [kernel, norm, up, ...rest] = modules;
    return [{ before: [], lanes: [[kernel, norm, up, 'activation', ...rest]], after: [] }];
  }
  if (/^attention ffn, ffn_output full_layer_layer_norm$/.test(names)) {
    const attention = splitNorms(modules.slice(0, 1));
    return attention && [...attention, normAfterSum(modules[1], modules[2])];
  }
  if (NORM_LAST.test(names)) return inPairs((main, norm) => step(main, norm));
  if (NORM_AFTER_SUM.test(names)) return inPairs(normAfterSum);
  if (NAMED_AFTER_BLOCKS.test(names)) {
    // In OPT a field decides whether the norms come before the blocks.
    if (type === 'opt') return settings.do_layer_norm_before === false ? inPairs(normAfterSum) : inPairs((main, norm) => step(norm, main));
    if (FIRST.test(type)) return inPairs((main, norm) => step(norm, main));
    return AFTER_SUM.test(type) ? inPairs(normAfterSum) : undefined;
  }
  if (isSettled && PARALLEL.test(names)) return [{ before: [modules[0]], lanes: modules.slice(1).map((module) => [module]), after: [] }];
  if (PARALLEL_NORMS.test(names)) return [{ before: [], lanes: inPairs((norm, main) => [norm, main]), after: [] }];
  return isSettled ? splitNorms(modules) : undefined;
}

/** Splits off norms that are inside their modules: BERT has them after the residual sum, T5 before the block. */
function splitNorms(modules: readonly Module[]): Step[] | undefined {
  const steps = modules.map((module): Step | undefined => {
    const [first] = module.units.filter(({ name }) => name === 'output.LayerNorm' || name === 'layer_norm' || name === 'LayerNorm');
    // Q-Former and LiLT have two streams with a norm each, which a list of steps cannot express.
    const streams = module.units.filter(({ name }) => /(^|[._])output\w*\.LayerNorm$/.test(name));
    if (!first || streams.length > 1 || module.groups.length > 0 || module.units.length < 2) return undefined;
    const rest: Module = { ...module, units: module.units.filter((unit) => unit !== first) };
    const norm: Module = { ...module, name: `${module.name}.${first.name}`, isNorm: true, units: [first], part: findMainPart(first.rows) };
    if (first.name === 'output.LayerNorm' || (first.name === 'LayerNorm' && module.name === 'attention'))
      return { before: [], lanes: [[rest]], after: [norm] };
    const isT5 = rest.units.every(({ name }) => /^(SelfAttention|EncDecAttention|DenseReluDense)\./.test(name));
    return isT5 ? { before: [], lanes: [[norm, rest]], after: [] } : undefined;
  });
  return steps.every((step) => step !== undefined) && steps.length > 0 ? steps : undefined;
}
