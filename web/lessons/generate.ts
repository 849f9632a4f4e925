// A lesson for any model, from its derivation. It says nothing of what the model does not have: each screen is about a step of the derivation,
// and each number is an expression that the core computes.

import { setField } from '../config/config-text.ts';
import { splitName } from '../answer/tensor-names.ts';
import type { Ledger } from '../core/ledger.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import type {
  ArticleStep,
  CountAnswer,
  CountedName,
  Count,
  DerivedStep,
  DerivedTensor,
  Derivation,
  FieldRow,
  Lesson,
  LessonChoice,
  LessonScreen,
  Refusal,
  WrongAnswer,
} from '../types/index.ts';
import * as generateTexts from './generate-texts.ts';

/** Screens on steps; of more the smallest parts are left out. */
const MAX_STEPS = 18;
const MAX_TENSORS = 5;
const MAX_FIELDS = 4;
const MAX_WRONG = 8;

/** The steps that a lesson may ask for. */
const ASKED: ReadonlySet<string> = new Set(['part', 'layer', 'layers', 'section', 'subtotal', 'total', 'active']);

/** A lesson on this configuration, or why it cannot be counted. */
export function generateLesson(name: string, config: string, ledger: Ledger): Lesson | Refusal {
  const answer = ledger.count(config);
  if (!answer.ok) return answer;
  const derivation = ledger.derive(config);
  if (!derivation.ok) return derivation;
  const steps = listSteps(derivation);
  const screens = [
    askFields(answer, config, ledger),
    ...steps.map((step) => askStep(step, derivation)),
    askUnusual(answer, derivation, config, ledger),
    askLargest(derivation),
    askNothing(derivation),
  ].filter((screen) => screen !== undefined);
  const lesson: Lesson = {
    title: generateTexts.title(name),
    lead: generateTexts.lead,
    model: JSON.parse(config) as object,
    names: nameSteps(derivation),
    screens,
  };
  return pruneWrong(lesson, ledger);
}

interface Asked {
  readonly step: DerivedStep;
  readonly article: ArticleStep;
}

const listAll = ({ sections }: Derivation) => sections.flatMap(({ steps }) => steps);

function listSteps(derivation: Derivation): readonly Asked[] {
  const articles = new Map(derivation.article.steps.map((step) => [step.name, step]));
  const asked = listAll(derivation).flatMap((step): Asked[] => {
    const article = articles.get(step.name);
    return article?.expression !== undefined && ASKED.has(step.kind) && step.value !== '0' ? [{ step, article }] : [];
  });
  const parts = asked.filter(({ step }) => step.kind === 'part').sort((a, b) => (BigInt(a.step.value) < BigInt(b.step.value) ? 1 : -1));
  const others = asked.length - parts.length;
  const kept = new Set([...parts.slice(0, Math.max(MAX_STEPS - others, 6)), ...asked.filter(({ step }) => step.kind !== 'part')]);
  return asked.filter((one) => kept.has(one)).slice(-MAX_STEPS);
}

/** The letters of the formulas, and every step by its name: a screen may use those that are not asked for. */
function nameSteps({ article }: Derivation): Record<string, string> {
  const names: Record<string, string> = { ...article.names };
  for (const { name, expression } of article.steps) if (name !== undefined && expression !== undefined) names[name] = expression;
  return names;
}

const shortName = (name: string) => splitName(name).slice(-3).filter((piece) => !/^\[|^\d+$|^weight$/.test(piece)).slice(-2).join('.'); // prettier-ignore

const isInLayer = ({ copies, layers }: DerivedStep) => layers !== undefined && copies !== undefined && copies !== '1';

function askStep({ step, article }: Asked, derivation: Derivation): LessonScreen {
  const { says, why, kind, tensors, formula, name } = step;
  const expression = article.expression as string;
  const lit = [...new Set(tensors.map((tensor) => tensor.name))];
  const sum = splitSum(expression);
  const known = new Map(listAll(derivation).map((one) => [one.name, one]));
  const parts = sum.flatMap((term) => known.get(term) ?? []);
  return {
    title: says,
    says:
      [
        kind === 'part' && why !== undefined && generateTexts.unnamedNorm(why),
        kind !== 'part' && parts.length > 1 && generateTexts.adds(parts.map((one) => generateTexts.part(one.says, one.name)).join('; ')),
        (kind === 'layers' || kind === 'active') && why,
        kind === 'active' && generateTexts.adds(['parameters', 'idle'].flatMap((one) => (known.has(one) ? generateTexts.part(known.get(one)?.says ?? one, one) : [])).join('; ')), // prettier-ignore
        kind === 'part' && why === undefined && generateTexts.shapes(tensors.slice(0, MAX_TENSORS).map(({ name: own, shape }) => `${shortName(own)} ${shapeText(shape)}`).join(', ')), // prettier-ignore
        isInLayer(step) && generateTexts.copies(grouped(step.copies as Count)),
      ]
        .filter(Boolean)
        .join(' ') || generateTexts.plain,
    ...(lit.length > 0 && { lit }),
    asks: generateTexts.asks[kind === 'part' && isInLayer(step) ? 'inLayer' : kind] ?? generateTexts.asks.part,
    number: {
      expression,
      ...(article.tensors && { tensors: article.tensors, ...(article.each && { each: true }) }),
      wrong: kind === 'part' ? wrongParts(step) : wrongSums(sum, expression, known, step),
    },
    hint: kind === 'part' ? generateTexts.formula(formula) : generateTexts.bookedLayer,
    reveals: kind === 'total' ? generateTexts.exact : generateTexts.shareOf(isInLayer(step) ? `${name} * ${step.copies}` : name),
    books: { name, says, ...(article.tensors && { tensors: article.tensors, ...(article.each && { each: true }) }) },
  };
}

/** The terms of a sum of names. */
const splitSum = (expression: string) => expression.split(' + ').map((term) => term.trim());

const taskOf = (tensors: readonly DerivedTensor[], task: RegExp) => tensors.find((tensor) => task.test(tensor.task));

/** Tensors of one size are one error: `q_proj or o_proj`. */
function groupBySize(tensors: readonly DerivedTensor[]): readonly (readonly [Count, string])[] {
  const groups = new Map<Count, string[]>();
  for (const { name, value } of tensors) groups.set(value, [...(groups.get(value) ?? []), shortName(name)]);
  return [...groups].map(([value, names]) => [value, generateTexts.either([...new Set(names)])]);
}

function wrongParts(step: DerivedStep): WrongAnswer[] {
  const { tensors, value, copies, experts, active, mechanism } = step;
  const out: WrongAnswer[] = [];
  const add = (expression: string, says: string) => out.push({ value: expression, says });
  if (isInLayer(step)) add(`${value} * ${copies}`, generateTexts.wrong.allLayers(grouped(copies as Count)));
  if (step.part === 'experts' && experts !== undefined) {
    add(`int(${value} / ${experts})`, generateTexts.wrong.oneExpert(grouped(experts)));
    if (active !== undefined)
      add(`int(${value} * ${active} / ${experts})`, generateTexts.wrong.usedExperts(grouped(active), grouped(experts)));
  }
  const [query, key, values] = [/^query$/, /^key$/, /^value$/].map((task) => taskOf(tensors, task));
  if (mechanism !== 'multi_head_attention' && query && key && values && BigInt(query.value) > BigInt(key.value))
    add(`${value} + 2 * ${query.value} - ${key.value} - ${values.value}`, generateTexts.wrong.asQueries);
  if (tensors.length > 1) {
    for (const [own, names] of groupBySize(tensors).slice(0, MAX_TENSORS)) add(`${value} - ${own}`, generateTexts.wrong.forgot(names));
    for (const [own, names] of groupBySize(tensors).slice(0, 2)) add(own, generateTexts.wrong.alone(names));
  }
  const [{ shape }] = tensors;
  if (tensors.length === 1 && shape.length === 2) {
    const [rows, columns] = shape;
    add(String(rows), generateTexts.wrong.rows(grouped(columns)));
    add(String(columns), generateTexts.wrong.columns(grouped(rows)));
    add(`${rows} + ${columns}`, generateTexts.wrong.added);
    if (rows !== columns) add(`${columns} * ${columns}`, generateTexts.wrong.square);
  } else if (shape.length === 1) {
    add(`${shape[0]} * ${shape[0]}`, generateTexts.wrong.vectorSquare);
  }
  add(`2 * ${value}`, generateTexts.wrong.twice);
  add(`int(${value} / 2)`, generateTexts.wrong.half);
  add('parameters', generateTexts.wrong.wholeModel);
  add(`3 * ${value}`, generateTexts.wrong.triple);
  add(`int(${value} / 4)`, generateTexts.wrong.quarter);
  return out;
}

function wrongSums(sum: readonly string[], expression: string, known: ReadonlyMap<string, DerivedStep>, step: DerivedStep): WrongAnswer[] {
  const out: WrongAnswer[] = [];
  const add = (value: string, says: string) => out.push({ value, says });
  const names = [...known.keys()].filter((name) => new RegExp(`(?<![\\w.])${name}(?![\\w.])`).test(expression));
  const said = (name: string) => known.get(name)?.says ?? name;
  if (sum.length > 1)
    for (const term of sum.slice(0, MAX_TENSORS)) {
      const name = names.find((one) => term.includes(one)) ?? term;
      add(sum.filter((one) => one !== term).join(' + '), generateTexts.wrong.forgot(said(name)));
      if (known.has(term)) add(`${expression} + ${term}`, generateTexts.wrong.sumTwice(said(name)));
    }
  if (step.kind === 'active') add('parameters', generateTexts.wrong.allParameters);
  const [layer] = names.filter((name) => known.get(name)?.kind === 'layer');
  if (step.kind === 'layers' && layer !== undefined) {
    add(layer, generateTexts.wrong.oneLayer);
    add(`${expression} - ${layer}`, generateTexts.wrong.oneLess);
    add(`${expression} + ${layer}`, generateTexts.wrong.oneMore);
  }
  for (const [name, one] of known)
    if (one.kind === 'part' && !names.includes(name) && one.value !== '0' && out.length < MAX_WRONG)
      add(`${expression} + ${name}`, generateTexts.wrong.again(one.says));
  add(`2 * (${expression})`, generateTexts.wrong.twice);
  add(`int((${expression}) / 2)`, generateTexts.wrong.half);
  return out;
}

/** Fields of which another value can be counted: some change the number, some do not. */
function askFields(answer: CountAnswer, config: string, ledger: Ledger): LessonScreen | undefined {
  const names: Record<string, CountedName> = {};
  const choices: LessonChoice[] = [];
  const total = answer.totals.parameters;
  const offer = (field: FieldRow, changes: boolean) => {
    const literal = otherValue(field);
    const text = literal === undefined ? undefined : setField(config, field.name, literal);
    const counted = text === undefined ? undefined : ledger.totals(text);
    if (literal === undefined || !counted?.ok || (counted.totals.parameters !== total) !== changes) return false;
    const name = `other_${choices.length}`;
    names[name] = { with: { [field.name]: JSON.parse(literal) as unknown } };
    choices.push({
      says: field.name,
      right: `${name} ≠ parameters`,
      because: changes ? generateTexts.counts(field.meaning ?? '') : generateTexts.countsNot(field.reason ?? ''),
    });
    return true;
  };
  const taken = (fields: readonly FieldRow[], changes: boolean) => {
    let n = 0;
    for (const field of fields) if (n < MAX_FIELDS && offer(field, changes)) n++;
    return n;
  };
  const own = answer.fields.filter(({ source }) => source !== 'ignored');
  const changing = taken([...own.filter(({ headline }) => headline), ...own.filter(({ headline }) => !headline)], true);
  const silent = taken(
    answer.fields.filter(({ source, reason }) => source === 'ignored' && reason !== undefined),
    false,
  );
  if (changing === 0 || changing + silent < 2) return undefined;
  return {
    title: generateTexts.fieldsTitle,
    says: generateTexts.fieldsSays,
    asks: generateTexts.fieldsAsks,
    names,
    choices,
    several: true,
    hint: generateTexts.fieldsHint,
    reveals: generateTexts.fieldsReveals,
  };
}

/** Another value of a number or a switch: twice it, as text. */
function otherValue({ value }: FieldRow): string | undefined {
  if (typeof value === 'boolean') return String(!value);
  if (typeof value !== 'number' || value <= 0) return undefined;
  return Number.isInteger(value) && Number.isSafeInteger(2 * value) ? String(BigInt(value) * 2n) : '0.5';
}

function askLargest(derivation: Derivation): LessonScreen | undefined {
  const parts = listAll(derivation).filter(({ kind, value }) => kind === 'part' && value !== '0');
  const size = ({ value, copies = '1' }: DerivedStep) => BigInt(value) * BigInt(copies);
  const most = parts.reduce((largest, one) => (size(one) > size(largest) ? one : largest), parts[0]);
  const shown = [...new Map(parts.map((one) => [one.says, one])).values()].slice(0, MAX_FIELDS + 1);
  if (shown.length < 2) return undefined;
  if (!shown.some(({ says }) => says === most.says)) shown[shown.length - 1] = most;
  const expression = ({ name, copies = '1' }: DerivedStep) => `${name} * ${copies}`;
  return {
    title: generateTexts.largestTitle,
    says: generateTexts.largestSays,
    lit: most.tensors.map(({ name }) => name),
    asks: generateTexts.largestAsks,
    choices: shown.map((one) => ({
      says: one.says,
      right: `${expression(one)} = ${expression(most)}`,
      because: generateTexts.largestBecause(expression(one)),
    })),
    hint: generateTexts.largestHint,
    reveals: generateTexts.largestBecause(expression(most)),
  };
}

/** What the first words of a sentence are about. */
const topicOf = (sentence: string) => /^(.*?) (?:is|are|have|has|rotate|rotates|bias|biases|add|adds)\b/.exec(sentence)?.[1] ?? sentence;

function askNothing(derivation: Derivation): LessonScreen | undefined {
  const { without_parameters: without } = derivation;
  const parts = listAll(derivation).filter(({ kind, value }) => kind === 'part' && value !== '0');
  if (without.length === 0 || parts.length === 0) return undefined;
  const has = [...new Map(parts.map((one) => [one.says, one])).values()].slice(0, 2);
  return {
    title: generateTexts.nothingTitle,
    says: generateTexts.nothingSays,
    asks: generateTexts.nothingAsks,
    several: true,
    choices: [
      ...without.slice(0, MAX_FIELDS).map((sentence) => ({ says: topicOf(sentence), right: false, because: sentence })),
      ...has.map(({ says, name }) => ({ says, right: `${name} > 0`, because: generateTexts.hasParameters(name) })),
    ],
    hint: generateTexts.nothingHint,
    reveals: without.join(' '),
  };
}

/** The first of these that the model has. */
function askUnusual(answer: CountAnswer, derivation: Derivation, config: string, ledger: Ledger): LessonScreen | undefined {
  const steps = listAll(derivation).filter(({ kind }) => kind === 'part');
  const find = (fits: (step: DerivedStep) => boolean) => steps.find(fits);
  const symbol = (short: string) => answer.symbols.find((row) => row.symbol === short);
  const { unusual } = generateTexts;
  const make = (
    texts: { readonly asks: string; readonly hint: string; readonly reveals: string },
    what: string,
    says: string,
    expression: string,
    wrong: readonly WrongAnswer[],
    tensors: readonly DerivedTensor[] = [],
    names?: LessonScreen['names'],
  ): LessonScreen => ({
    title: unusual.title(what),
    says,
    ...(tensors.length > 0 && { lit: [...new Set(tensors.map(({ name }) => name))] }),
    asks: texts.asks,
    ...(names && { names }),
    number: { expression, wrong: [...wrong, ...roundWrong(expression)] },
    hint: texts.hint,
    reveals: texts.reveals,
  });
  const over = (step: DerivedStep, sum: string): readonly [string, WrongAnswer[]] => [
    `(${sum}) * ${step.copies ?? '1'}`,
    isInLayer(step) ? [{ value: sum, says: generateTexts.wrong.oneLayer }] : [],
  ];

  const latent = find(({ mechanism }) => mechanism === 'latent_attention');
  const [rank, rope] = [symbol('r_kv'), symbol('h_rope')];
  if (latent && rank && rope)
    return make(unusual.latent, unusual.latent.what, unusual.latent.says, `${rank.value} + ${rope.value}`, [
      { value: rank.value, says: generateTexts.wrong.forgot('the rotary key') },
      { value: rope.value, says: generateTexts.wrong.forgot('the latent') },
    ], latent.tensors); // prettier-ignore
  const mixer = find(({ part }) => part === 'state_space');
  if (mixer) {
    const [sum, wrong] = over(mixer, mixer.name);
    const named = mixer.says.replace(/, in (a layer|one copy)$/, '');
    return make(unusual.mixer, unusual.mixer.what(named), unusual.mixer.says(named), sum, wrong, mixer.tensors);
  }
  const experts = find(({ part, experts: n, active }) => part === 'experts' && n !== undefined && active !== undefined);
  if (experts) {
    const [n, active] = [experts.experts as Count, experts.active as Count];
    return make(unusual.experts, unusual.experts.what, unusual.experts.says(grouped(active), grouped(n)), `int(${experts.name} * ${active} / ${n})`, [
      { value: experts.name, says: generateTexts.wrong.allExperts(grouped(n)) },
      { value: `int(${experts.name} / ${n})`, says: generateTexts.wrong.oneOfUsed(grouped(active)) },
    ], experts.tensors); // prettier-ignore
  }
  const sumOf = (tensors: readonly DerivedTensor[]) => tensors.map(({ value }) => value).join(' + ');
  const normed = find(({ tensors }) => tensors.some(({ task }) => /^(query|key) norm/.test(task)));
  if (normed) {
    const own = normed.tensors.filter(({ task }) => /^(query|key) norm/.test(task));
    const [sum, wrong] = over(normed, sumOf(own));
    return make(unusual.queryNorm, unusual.queryNorm.what, unusual.queryNorm.says, sum, wrong, own);
  }
  const norms = find(
    ({ part, layers, tensors }) =>
      part === 'norm' && layers !== undefined && tensors.filter(({ name }) => name.endsWith('weight')).length > 2,
  );
  if (norms) {
    const [sum, wrong] = over(norms, norms.name);
    return make(
      unusual.norms,
      unusual.norms.what,
      unusual.norms.says(grouped(norms.tensors.filter(({ name }) => name.endsWith('weight')).length)),
      sum,
      wrong,
      norms.tensors,
    );
  }
  const positions = steps.flatMap(({ tensors }) => tensors).find(({ task }) => task === 'position embedding');
  if (positions?.shape.length === 2) {
    const [rows, width] = positions.shape;
    return make(unusual.positions, unusual.positions.what, unusual.positions.says, `${rows} * ${width}`, [
      { value: String(rows), says: generateTexts.wrong.rows(grouped(width)) },
      { value: String(width), says: generateTexts.wrong.columns(grouped(rows)) },
      { value: `${rows} + ${width}`, says: generateTexts.wrong.added },
    ], [positions]); // prettier-ignore
  }
  const biased = find(({ part, tensors }) => part === 'attention' && tensors.some(({ task }) => task.endsWith(' bias')));
  if (biased) {
    const own = biased.tensors.filter(({ task }) => task.endsWith(' bias'));
    const [sum, wrong] = over(biased, sumOf(own));
    return make(unusual.biases, unusual.biases.what, unusual.biases.says, sum, wrong, own);
  }
  const otherwise = (field: string, literal: string) => {
    const text = setField(config, field, literal);
    const counted = text === undefined ? undefined : ledger.totals(text);
    return counted?.ok && BigInt(counted.totals.parameters) > BigInt(answer.totals.parameters)
      ? { otherwise: { with: { [field]: JSON.parse(literal) as unknown } } }
      : undefined;
  };
  const [heads, shared] = [symbol('n'), symbol('n_kv')];
  const ungrouped = heads && shared?.field && heads.value !== shared.value ? otherwise(shared.name, heads.value) : undefined;
  if (heads && shared && ungrouped)
    return make(unusual.grouped, unusual.grouped.what, unusual.grouped.says(grouped(shared.value), grouped(heads.value)), 'otherwise - parameters', [
      { value: 'otherwise', says: generateTexts.wrong.wholeModel },
      { value: 'int((otherwise - parameters) / L)', says: generateTexts.wrong.oneLayer },
    ], steps.flatMap(({ tensors }) => tensors).filter(({ task }) => task === 'key' || task === 'value'), ungrouped); // prettier-ignore
  const untied = otherwise('tie_word_embeddings', 'false');
  if (untied)
    return make(unusual.tied, unusual.tied.what, unusual.tied.says, 'otherwise - parameters', [
      { value: 'otherwise', says: generateTexts.wrong.wholeModel },
    ], steps.flatMap(({ tensors }) => tensors).filter(({ task }) => task === 'token embedding'), untied); // prettier-ignore
  const layer = listAll(derivation).find(({ kind }) => kind === 'layer');
  return layer && make(unusual.deeper, unusual.deeper.what, unusual.deeper.says, layer.name, [{ value: 'layers', says: generateTexts.wrong.allLayers(grouped(layer.copies ?? '1')) }], layer.tensors); // prettier-ignore
}

const roundWrong = (expression: string): WrongAnswer[] => [
  { value: `2 * (${expression})`, says: generateTexts.wrong.twice },
  { value: `int((${expression}) / 2)`, says: generateTexts.wrong.half },
  { value: 'parameters', says: generateTexts.wrong.wholeModel },
  { value: `3 * (${expression})`, says: generateTexts.wrong.triple },
  { value: `int((${expression}) / 4)`, says: generateTexts.wrong.quarter },
];

/** Likely errors that come to the same number, or to the right one, are one error, and no error. */
function pruneWrong(lesson: Lesson, ledger: Ledger): Lesson | Refusal {
  const shown = ledger.lesson(lesson);
  if (!shown.ok) return shown;
  const screens = lesson.screens.map((screen, i) => {
    const { number } = shown.screens[i];
    if (!screen.number || !number) return screen;
    const seen = new Set([number.value, '0']);
    const wrong = (screen.number.wrong ?? [])
      .filter((_, at) => {
        const { value } = number.wrong[at];
        if (seen.has(value)) return false;
        seen.add(value);
        return true;
      })
      .slice(0, MAX_WRONG);
    return { ...screen, number: { ...screen.number, wrong } };
  });
  return { ...lesson, screens };
}
