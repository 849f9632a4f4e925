// Generates the lesson screen about an unusual feature of the model: the first one in CANDIDATES that the model has.

import { setField } from '../config/config-text.ts';
import type { Ledger } from '../core/ledger.ts';
import { grouped } from '../support/numbers.ts';
import type { Count, CountAnswer, Derivation, DerivedStep, DerivedTensor, LessonScreen, WrongAnswer } from '../types/index.ts';
import { isInLayer, lineName, unusual, wrong } from './generate-texts.ts';
import { listAll, listLast } from './generate-wrong.ts';

interface Subject {
  readonly answer: CountAnswer;
  readonly derivation: Derivation;
  readonly config: string;
  readonly ledger: Ledger;
  /** The steps of the derivation that are parts of the model. */
  readonly parts: readonly DerivedStep[];
}

interface Question {
  readonly texts: { readonly asks: string; readonly hint: string; readonly reveals: string };
  readonly what: string;
  readonly says: string;
  readonly expression: string;
  readonly wrong: readonly WrongAnswer[];
  readonly tensors: readonly DerivedTensor[];
  readonly names?: LessonScreen['names'];
}

export function askUnusual(answer: CountAnswer, derivation: Derivation, config: string, ledger: Ledger): LessonScreen | undefined {
  const parts = listAll(derivation).filter(({ kind }) => kind === 'part');
  const subject: Subject = { answer, derivation, config, ledger, parts };
  for (const ask of CANDIDATES) {
    const question = ask(subject);
    if (question) return screenOf(question);
  }
  return undefined;
}

/** The questions about unusual features, roughly from the rarest to the most common one. The last is about an ordinary layer. */
const CANDIDATES: readonly ((subject: Subject) => Question | undefined)[] = [
  askLatent,
  askMixer,
  askExperts,
  askQueryNorms,
  askNorms,
  askPositions,
  askBiases,
  askGrouped,
  askTied,
  askUntied,
  askDeeper,
];

const screenOf = ({ texts, what, says, expression, wrong: own, tensors, names }: Question): LessonScreen => ({
  title: unusual.title(what),
  says,
  ...(tensors.length > 0 && { lit: [...new Set(tensors.map(({ name }) => name))] }),
  asks: texts.asks,
  ...(names && { names }),
  number: { expression, wrong: [...own, ...listLast(expression)] },
  hint: texts.hint,
  reveals: texts.reveals,
});

const findSymbol = ({ answer }: Subject, short: string) => answer.symbols.find((row) => row.symbol === short);
const sumOf = (tensors: readonly DerivedTensor[]) => tensors.map(({ value }) => value).join(' + ');
const isWeight = ({ name }: DerivedTensor) => name.endsWith('weight');

/** The expression for parameters in one layer, multiplied by the number of such layers. Forgetting to multiply is a likely error. */
const overLayers = (step: DerivedStep, sum: string): { readonly expression: string; readonly wrong: readonly WrongAnswer[] } => ({
  expression: `(${sum}) * ${step.copies ?? '1'}`,
  wrong: isInLayer(step) ? [{ value: sum, says: wrong.oneLayer(grouped(step.copies as Count)) }] : [],
});

function askLatent(subject: Subject): Question | undefined {
  const latent = subject.parts.find(({ mechanism }) => mechanism === 'latent_attention');
  const [rank, rope] = [findSymbol(subject, 'r_kv'), findSymbol(subject, 'h_rope')];
  if (!latent || !rank || !rope) return undefined;
  return {
    texts: unusual.latent,
    what: unusual.latent.what,
    says: unusual.latent.says(grouped(rank.value), grouped(rope.value)),
    expression: `${rank.value} + ${rope.value}`,
    wrong: [
      { value: rank.value, says: wrong.forgot(unusual.latent.key) },
      { value: rope.value, says: wrong.forgot(unusual.latent.latent) },
      { value: `2 * (${rank.value} + ${rope.value})`, says: unusual.latent.once },
    ],
    tensors: latent.tensors,
  };
}

function askMixer({ parts }: Subject): Question | undefined {
  const mixer = parts.find(({ part }) => part === 'state_space');
  if (!mixer) return undefined;
  const name = lineName(mixer.says);
  return {
    texts: unusual.mixer,
    what: name,
    says: unusual.mixer.says(name, grouped(mixer.value), grouped(mixer.copies ?? '1')),
    ...overLayers(mixer, mixer.name),
    tensors: mixer.tensors,
  };
}

function askExperts({ parts }: Subject): Question | undefined {
  const step = parts.find(({ part, experts, active }) => part === 'experts' && experts !== undefined && active !== undefined);
  if (!step) return undefined;
  const [n, active] = [step.experts as Count, step.active as Count];
  return {
    texts: unusual.experts,
    what: unusual.experts.what,
    says: unusual.experts.says(grouped(active), grouped(n)),
    expression: `int(${step.name} * ${active} / ${n})`,
    wrong: [
      { value: step.name, says: wrong.allExperts(grouped(n)) },
      { value: `int(${step.name} / ${n})`, says: wrong.oneOfUsed(grouped(active)) },
      { value: `${step.name} - int(${step.name} * ${active} / ${n})`, says: wrong.idleExperts },
      { value: `int(${step.name} * ${active} / ${n}) * ${step.copies ?? '1'}`, says: wrong.allLayers(grouped(step.copies ?? '1')) },
    ],
    tensors: step.tensors,
  };
}

function askQueryNorms({ parts }: Subject): Question | undefined {
  const isNorm = ({ task }: DerivedTensor) => /^(query|key) norm/.test(task);
  const step = parts.find(({ tensors }) => tensors.some(isNorm));
  if (!step) return undefined;
  const own = step.tensors.filter(isNorm);
  const { expression, wrong: errors } = overLayers(step, sumOf(own));
  return {
    texts: unusual.queryNorm,
    what: unusual.queryNorm.what,
    says: unusual.queryNorm.says(grouped(String(own[0].shape[0]))),
    expression,
    wrong: own.length > 1 ? [...errors, { value: `(${own[0].value}) * ${step.copies ?? '1'}`, says: unusual.queryNorm.one }] : errors,
    tensors: own,
  };
}

function askNorms({ parts }: Subject): Question | undefined {
  const step = parts.find(({ part, layers, tensors }) => part === 'norm' && layers !== undefined && tensors.filter(isWeight).length > 2);
  if (!step) return undefined;
  const n = step.tensors.filter(isWeight).length;
  const { expression, wrong: errors } = overLayers(step, step.name);
  return {
    texts: unusual.norms,
    what: unusual.norms.what,
    says: unusual.norms.says(grouped(String(n))),
    expression,
    wrong: [...errors, { value: `int((${expression}) * 2 / ${n})`, says: unusual.norms.two }],
    tensors: step.tensors,
  };
}

function askPositions({ parts }: Subject): Question | undefined {
  const table = parts.flatMap(({ tensors }) => tensors).find(({ task }) => task === 'position embedding');
  if (table?.shape.length !== 2) return undefined;
  const [rows, width] = table.shape;
  return {
    texts: unusual.positions,
    what: unusual.positions.what,
    says: unusual.positions.says(grouped(rows), grouped(width)),
    expression: `${rows} * ${width}`,
    wrong: [
      { value: String(rows), says: wrong.rows(grouped(width)) },
      { value: String(width), says: wrong.columns(grouped(rows)) },
      { value: `${rows} + ${width}`, says: wrong.added },
      { value: `${rows} * ${rows}`, says: unusual.positions.pairs },
    ],
    tensors: [table],
  };
}

function askBiases({ parts }: Subject): Question | undefined {
  const isBias = ({ task }: DerivedTensor) => task.endsWith(' bias');
  const step = parts.find(({ part, tensors }) => part === 'attention' && tensors.some(isBias));
  if (!step) return undefined;
  const own = step.tensors.filter(isBias);
  return {
    texts: unusual.biases,
    what: unusual.biases.what,
    says: unusual.biases.says(own.map(({ name }) => name.split('.').slice(-2).join('.')).join(', ')),
    ...overLayers(step, sumOf(own)),
    tensors: own,
  };
}

/** Counts the model with another value of a field. Undefined if it is refused or the count does not change. */
function countOtherwise({ config, ledger, answer }: Subject, field: string, literal: string) {
  const text = setField(config, field, literal);
  const counted = text === undefined ? undefined : ledger.totals(text);
  if (!counted?.ok || counted.totals.parameters === answer.totals.parameters) return undefined;
  return {
    names: { otherwise: { with: { [field]: JSON.parse(literal) as unknown } } },
    more: BigInt(counted.totals.parameters) > BigInt(answer.totals.parameters),
  };
}

const WHOLE: WrongAnswer = { value: 'otherwise', says: wrong.wholeOther };

function askGrouped(subject: Subject): Question | undefined {
  const [heads, shared] = [findSymbol(subject, 'n'), findSymbol(subject, 'n_kv')];
  if (!heads || !shared?.field || heads.value === shared.value) return undefined;
  const other = countOtherwise(subject, shared.name, heads.value);
  if (!other?.more) return undefined;
  return {
    texts: unusual.grouped,
    what: unusual.grouped.what,
    says: unusual.grouped.says(grouped(shared.value), grouped(heads.value)),
    expression: 'otherwise - parameters',
    wrong: [
      WHOLE,
      ...(findSymbol(subject, 'L')
        ? [{ value: 'int((otherwise - parameters) / L)', says: wrong.oneLayer(grouped(findSymbol(subject, 'L')?.value ?? '1')) }]
        : []),
      { value: 'int((otherwise - parameters) / 2)', says: unusual.grouped.one },
    ],
    tensors: subject.parts.flatMap(({ tensors }) => tensors).filter(({ task }) => task === 'key' || task === 'value'),
    names: other.names,
  };
}

const listEmbeddings = ({ parts }: Subject) => parts.flatMap(({ tensors }) => tensors).filter(({ task }) => task === 'token embedding');

function askTied(subject: Subject): Question | undefined {
  const other = countOtherwise(subject, 'tie_word_embeddings', 'false');
  if (!other?.more) return undefined;
  return {
    texts: unusual.tied,
    what: unusual.tied.what,
    says: unusual.tied.says,
    expression: 'otherwise - parameters',
    wrong: [WHOLE, ...listTable(subject), { value: '2 * (otherwise - parameters)', says: unusual.tied.both }],
    tensors: listEmbeddings(subject),
    names: other.names,
  };
}

function askUntied(subject: Subject): Question | undefined {
  const other = countOtherwise(subject, 'tie_word_embeddings', 'true');
  if (!other || other.more) return undefined;
  return {
    texts: unusual.untied,
    what: unusual.untied.what,
    says: unusual.untied.says,
    expression: 'parameters - otherwise',
    wrong: [WHOLE, ...listTable(subject), { value: '2 * (parameters - otherwise)', says: unusual.untied.both }],
    tensors: [...listEmbeddings(subject), ...subject.parts.flatMap(({ tensors }) => tensors).filter(({ task }) => task === 'head')],
    names: other.names,
  };
}

/** The likely errors of counting only the rows of the embedding table, or of adding its rows and columns. */
function listTable(subject: Subject): readonly WrongAnswer[] {
  const [rows, columns] = listEmbeddings(subject)[0]?.shape ?? [];
  if (rows === undefined || columns === undefined) return [];
  return [
    { value: String(rows), says: wrong.rows(grouped(columns)) },
    { value: `${rows} + ${columns}`, says: wrong.added },
  ];
}

function askDeeper({ derivation }: Subject): Question | undefined {
  const layer = listAll(derivation).find(({ kind }) => kind === 'layer');
  if (!layer) return undefined;
  return {
    texts: unusual.deeper,
    what: unusual.deeper.what,
    says: unusual.deeper.says,
    expression: layer.name,
    wrong: [{ value: `${layer.name} * ${layer.copies ?? '1'}`, says: wrong.allLayers(grouped(layer.copies ?? '1')) }],
    tensors: layer.tensors,
  };
}
