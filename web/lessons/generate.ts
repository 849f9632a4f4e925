// Generates a lesson for any model from its derivation. Most screens are about a step of the derivation, and each number is an expression
// that the core computes.

import { parseConfig } from '../config/config-text.ts';
import type { Ledger } from '../core/ledger.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import type { ArticleStep, Count, DerivedStep, Derivation, Lesson, LessonScreen, Refusal } from '../types/index.ts';
import { askFields, askLargest, askNothing } from './generate-choices.ts';
import * as generateTexts from './generate-texts.ts';
import { askUnusual } from './generate-unusual.ts';
import { listAll, listPartErrors, listSumErrors, shortName } from './generate-wrong.ts';

const { isInLayer } = generateTexts;

/** The largest number of screens about steps. If there are more, the smallest parts are left out, and if necessary the first steps. */
const MAX_STEPS = 18;
const MAX_TENSORS = 5;
const MAX_WRONG = 8;

/** The kinds of steps that a lesson may ask about. */
const ASKED: ReadonlySet<string> = new Set(['part', 'layer', 'layers', 'section', 'subtotal', 'total', 'active']);

/** Generates a lesson for this configuration, or returns the core's refusal of the configuration or of the lesson. */
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
    model: parseConfig(config),
    names: nameSteps(derivation),
    screens,
  };
  return pruneWrong(lesson, ledger);
}

interface Asked {
  readonly step: DerivedStep;
  readonly article: ArticleStep;
}

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

/** Maps each symbol and each step to its expression. A screen may refer to steps that the lesson does not ask about. */
function nameSteps({ article }: Derivation): Record<string, string> {
  const names: Record<string, string> = { ...article.names };
  for (const { name, expression } of article.steps) if (name !== undefined && expression !== undefined) names[name] = expression;
  return names;
}

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
        kind === 'active' && generateTexts.lines(['parameters', 'idle'].flatMap((one) => (known.has(one) ? generateTexts.part(known.get(one)?.says ?? one, one) : [])).join('; ')), // prettier-ignore
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
      wrong:
        kind === 'part'
          ? listPartErrors(step, countLayers(derivation), derivation.symbols.find(({ symbol }) => symbol === 'd')?.value)
          : listSumErrors(step, sum, expression, known),
    },
    hint: kind === 'part' ? generateTexts.formula(formula) : (generateTexts.hints[kind] ?? generateTexts.addLines),
    reveals: kind === 'total' ? generateTexts.exact : generateTexts.shareOf(step),
    books: { name, says, ...(article.tensors && { tensors: article.tensors, ...(article.each && { each: true }) }) },
  };
}

const countLayers = (derivation: Derivation) =>
  listAll(derivation).reduce((sum, { kind, copies = '1' }) => (kind === 'layer' ? sum + Number(copies) : sum), 0);

const splitSum = (expression: string) => expression.split(' + ').map((term) => term.trim());

/** Removes likely errors with the right value, the value 0 or that of an earlier error. Keeps at most MAX_WRONG for each screen. */
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
