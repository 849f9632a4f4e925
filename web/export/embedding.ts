// Writes code to embed a count in a post: the widget, a frame, or the numbers as text, HTML or a picture without a script.

import { isNotParameter } from '../answer/breakdown.ts';
import { listWarnings } from '../answer/warnings.ts';
import { arrangeParts, writeCompactHash, writeEditable, writeParts, type Compact } from '../settings/compact.ts';
import { escapeMarkdownCell, escapeMarkup } from '../support/escape.ts';
import { difference, grouped, percent, ratio, shapeText, short, typedShort } from '../support/numbers.ts';
import { nameOf } from '../models/model.ts';
import type { Entry } from '../config/entry.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import { markFrame, markJson, markScript } from './embed-markup.ts';
import * as embedTexts from './embed-texts.ts';
import * as exportsTexts from './export-texts.ts';
import * as compactTexts from '../settings/compact-texts.ts';
import type { CountAnswer } from '../types/index.ts';

export interface Embedding extends Compact {
  readonly models: readonly { readonly entry: Entry; readonly answer: CountAnswer }[];
  /** The part of the address for each model, without the `#`. */
  readonly hashes: readonly string[];
  /** The address of the folder with the page, with a trailing slash. */
  readonly site: string;
  /** The height of the preview in pixels. */
  readonly height: number;
  /** Returns a colour of the theme by its name in the style sheet, such as `ink` or `part-attention`. */
  readonly colour: (name: string) => string;
}

/** The address of the page with these models. */
const formatPageAddress = ({ site, hashes }: Embedding) => `${site}#${hashes.length > 1 ? 'compare;' : ''}${hashes.join(';')}`;

const formatSentence = ({ entry, answer }: Embedding['models'][number]) =>
  embedTexts.sentence(nameOf(entry), grouped(answer.totals.parameters), short(answer.totals.parameters));

export function formatScript(embedding: Embedding): string {
  const { models, hashes, editable, theme, height, site } = embedding;
  // A single configuration that a link would contain as a whole is written inside the element, where the widget reads it.
  const own = hashes.length === 1 && hashes[0].startsWith('c=') ? models[0].entry : undefined;
  const names = own ? [] : hashes.map((hash) => hash.replace(/^m=/, ''));
  const attributes = [
    ['model', names.join(' ')],
    ['title', own ? nameOf(own) : ''],
    ['view', writeParts(embedding, ' ')],
    ['editable', writeEditable(editable)],
    ['theme', theme],
    // Reserves the height before the script loads, or if it never does. If the page's policy forbids style attributes, the script reserves
    // the height.
    ['style', `display: flow-root; min-height: ${height}px`],
    ['page', site],
  ].flatMap(([name, value]) => (value ? [`${name}="${escapeMarkup(value)}"`] : []));
  const config = own ? markJson(own.text) : '';
  return `<param-ledger ${attributes.join(' ')}>
  <a href="${escapeMarkup(formatPageAddress(embedding))}">${models.map((model) => escapeMarkup(formatSentence(model))).join(' ')}</a>
${config}</param-ledger>
${markScript(site)}`;
}

export function formatFrame(embedding: Embedding): string {
  const { site, hashes, models, height } = embedding;
  const title = embedTexts.frameTitle(models.map(({ entry }) => nameOf(entry)).join(', '));
  return markFrame(site, writeCompactHash(embedding, hashes.join(';')), title, height);
}

/** A table of texts. All columns except the first are aligned to the right, because they contain numbers and shapes. */
interface Account {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly total: readonly string[];
}

function listParts({ answer }: Embedding['models'][number]): Account {
  const all = answer.totals.parameters;
  return {
    head: [texts.picture.part, texts.picture.parameters, texts.picture.share],
    rows: answer.parts.map(({ part, parameters }) => [partLabel(part), grouped(parameters), percent(parameters, all)]),
    total: [texts.picture.total, grouped(all), '100%'],
  };
}

function compareParts({ models }: Embedding): Account {
  const answers = models.map(({ answer }) => answer);
  const two = answers.length === 2;
  const names = [...new Set(answers.flatMap(({ parts }) => parts.map(({ part }) => part)))];
  const line = (label: string, counts: readonly (string | undefined)[]) => [
    label,
    ...counts.map((count) => (count === undefined ? '–' : grouped(count))),
    ...(two ? [difference(counts[0] ?? '0', counts[1] ?? '0')] : []),
  ];
  return {
    head: [texts.picture.part, ...models.map(({ entry }) => nameOf(entry)), ...(two ? [compactTexts.difference] : [])],
    rows: names.map((name) =>
      line(
        partLabel(name),
        answers.map(({ parts }) => parts.find(({ part }) => part === name)?.parameters),
      ),
    ),
    total: line(
      texts.picture.total,
      answers.map(({ totals }) => totals.parameters),
    ),
  };
}

function listTensors({ answer }: Embedding['models'][number]): Account {
  const { headings } = texts.table;
  return {
    head: [headings.tensor, headings.shape, headings.copies, headings.total],
    rows: answer.tensors
      .filter(({ kind }) => !isNotParameter(kind))
      .map(({ name, shape, copies, total, kind }) => [
        name,
        shapeText(shape) || texts.table.scalar,
        grouped(copies),
        kind === 'tied' ? texts.table.notAgain : grouped(total),
      ]),
    total: [texts.table.parameters, '', '', grouped(answer.totals.parameters)],
  };
}

const formatLegend = ({ symbols }: CountAnswer) =>
  symbols.map(({ symbol, value, name }) => `${symbol} = ${grouped(value)} (${name})`).join(', ');

/** Functions that write the pieces of a static embedding in one output format. */
interface Writer {
  readonly total: (name: string, count: string, short: string, page: string) => string;
  readonly line: (text: string) => string;
  readonly account: (account: Account) => string;
  readonly formula: (formula: string, legend: string) => string;
  readonly link: (page: string) => string;
}

function writeEmbedding(embedding: Embedding, writer: Writer): string {
  const { compares, alone } = arrangeParts(embedding.parts, embedding.models.length);
  const pieces = compares ? [writer.account(compareParts(embedding))] : [];
  for (const model of embedding.models) {
    const { answer, entry } = model;
    const total = answer.totals.parameters;
    for (const part of alone) {
      if (part === 'total') {
        pieces.push(writer.total(nameOf(entry), grouped(total), short(total), formatPageAddress(embedding)));
        for (const message of listWarnings(answer)) pieces.push(writer.line(exportsTexts.warning(message)));
      }
      if (part === 'parts' || (part === 'devices' && !alone.includes('parts'))) pieces.push(writer.account(listParts(model)));
      if (part === 'formula' || (part === 'derivation' && !alone.includes('formula')))
        pieces.push(writer.formula(`${answer.formula.symbols} = ${grouped(answer.formula.value)}`, formatLegend(answer)));
      if (part === 'table') pieces.push(writer.account(listTensors(model)));
    }
  }
  return [...pieces, writer.link(formatPageAddress(embedding))].join('\n');
}

export const formatMarkdown = (embedding: Embedding): string =>
  writeEmbedding(embedding, {
    total: (name, count, words) => `**${escapeMarkdownCell(name)}**: **${count}** ${embedTexts.parameters} (${words})\n`,
    line: (text) => `${escapeMarkdownCell(text)}\n`,
    account: ({ head, rows, total }) =>
      [
        `| ${head.map(escapeMarkdownCell).join(' | ')} |`,
        `| --- |${' ---: |'.repeat(head.length - 1)}`,
        ...rows.map((row) => `| ${row.map(escapeMarkdownCell).join(' | ')} |`),
        `| ${total.map((cell) => (cell === '' ? '' : `**${escapeMarkdownCell(cell)}**`)).join(' | ')} |`,
        '',
      ].join('\n'),
    formula: (formula, symbols) => `\`${formula}\`\n\n${escapeMarkdownCell(symbols)}\n`,
    link: (page) => `[${embedTexts.countedBy}](${page.replaceAll(')', '%29')})\n`,
  });

export const formatHtml = (embedding: Embedding): string => {
  const row = (cells: readonly string[], tag: 'td' | 'th') =>
    `    <tr><th scope="${tag === 'th' ? 'col' : 'row'}">${escapeMarkup(cells[0])}</th>${cells
      .slice(1)
      .map((cell) =>
        tag === 'th' ? `<th scope="col" align="right">${escapeMarkup(cell)}</th>` : `<td align="right">${escapeMarkup(cell)}</td>`,
      )
      .join('')}</tr>`;
  const body = writeEmbedding(embedding, {
    total: (name, count, words) =>
      `  <p><strong>${escapeMarkup(name)}</strong>: <strong>${count}</strong> ${embedTexts.parameters} (${words})</p>`,
    line: (text) => `  <p>${escapeMarkup(text)}</p>`,
    account: ({ head, rows, total }) =>
      ['  <table>', row(head, 'th'), ...rows.map((cells) => row(cells, 'td')), row(total, 'td'), '  </table>'].join('\n'),
    formula: (formula, symbols) => `  <p><code>${escapeMarkup(formula)}</code></p>\n  <p>${escapeMarkup(symbols)}</p>`,
    link: (page) => `  <figcaption><a href="${escapeMarkup(page)}">${embedTexts.countedBy}</a></figcaption>`,
  });
  return `<figure>\n${body}\n</figure>\n`;
};

const WIDTH = 720;
const MARGIN = 20;
const LINE = 24;

/** A picture for pages that allow neither scripts nor tables. Its text is stored as text, not as outlines. */
export function formatSvg(embedding: Embedding): string {
  const { colour, models } = embedding;
  const shapes: string[] = [];
  let y = MARGIN;
  const text = (x: number, at: number, content: string, { size = 14, anchor = 'start', fill = 'ink', bold = false } = {}) =>
    shapes.push(
      `<text x="${x}" y="${at}" font-size="${size}" text-anchor="${anchor}" fill="${escapeMarkup(colour(fill))}"${bold ? ' font-weight="600"' : ''}>${escapeMarkup(content)}</text>`,
    );
  const rule = (at: number) =>
    shapes.push(`<path d="M${MARGIN} ${at}H${WIDTH - MARGIN}" stroke="${escapeMarkup(colour('rule'))}" fill="none"/>`);
  const columns = (count: number) => Array.from({ length: count }, (_, i) => WIDTH - MARGIN - (count - 1 - i) * (count > 3 ? 150 : 130));
  const account = ({ head, rows, total }: Account, swatches: readonly string[] = []) => {
    const ends = columns(head.length - 1);
    const line = (cells: readonly string[], bold: boolean, i = -1) => {
      y += LINE;
      const swatch = i >= 0 && swatches[i];
      if (swatch) shapes.push(`<rect x="${MARGIN}" y="${y - 10}" width="10" height="10" rx="2" fill="${escapeMarkup(colour(swatch))}"/>`);
      text(MARGIN + (swatches.length > 0 && i >= 0 ? 18 : 0), y, cells[0], { size: 13, bold });
      cells.slice(1).forEach((cell, at) => text(ends[at], y, cell, { size: 13, anchor: 'end', bold, fill: bold ? 'ink' : 'muted' }));
      rule(y + 7);
    };
    line(head, true);
    rows.forEach((cells, i) => line(cells, false, i));
    line(total, true);
    y += MARGIN;
  };
  const { compares, alone } = arrangeParts(embedding.parts, embedding.models.length);
  if (compares) account(compareParts(embedding));
  for (const model of models) {
    const { answer, entry } = model;
    const { parameters } = answer.totals;
    const warnings = listWarnings(answer).map(exportsTexts.warning);
    for (const part of alone) {
      if (part === 'total') {
        text(MARGIN, (y += 16), nameOf(entry), { bold: true });
        text(MARGIN, (y += 44), grouped(parameters), { size: 40, bold: true });
        text(MARGIN, (y += 26), texts.total.parameters(short(parameters)), { fill: 'muted' });
        for (const line of warnings.flatMap((warning) => breakLines(warning, 100))) text(MARGIN, (y += 20), line, { size: 12 });
        y += MARGIN;
      }
      if (part === 'parts' || (part === 'devices' && !alone.includes('parts'))) {
        let x = MARGIN;
        for (const { part: name, parameters: own } of answer.parts) {
          const width = ratio(own, parameters) * (WIDTH - 2 * MARGIN);
          shapes.push(
            `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, width - 1).toFixed(1)}" height="40" fill="${escapeMarkup(colour(`part-${name}`))}"/>`,
          );
          x += width;
        }
        y += 44;
        account(
          listParts(model),
          answer.parts.map(({ part: name }) => `part-${name}`),
        );
      }
      if (part === 'formula' || (part === 'derivation' && !alone.includes('formula'))) {
        for (const line of breakLines(`${answer.formula.symbols} = ${grouped(answer.formula.value)}`, 78))
          text(MARGIN, (y += LINE), line, { size: 15 });
        for (const line of breakLines(formatLegend(answer), 100)) text(MARGIN, (y += 20), line, { size: 12, fill: 'muted' });
        y += MARGIN;
      }
      if (part === 'table') account(listTensors(model));
    }
  }
  text(MARGIN, (y += 12), embedTexts.countedBy, { size: 12, fill: 'muted' });
  const height = y + MARGIN;
  const title = models.map(formatSentence).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif">
<title>${escapeMarkup(title)}</title>
<rect width="${WIDTH}" height="${height}" rx="4" fill="${escapeMarkup(colour('paper'))}"/>
${shapes.join('\n')}
</svg>
`;
}

/** The parameter count as a badge for a README or a model card. */
export function formatBadge({ models, colour }: Embedding): string {
  const [{ answer, entry }] = models;
  const count = typedShort(answer.totals.parameters);
  const [left, right] = [`${count} `, embedTexts.parameters].map((text) => text.length * BADGE_CHARACTER + BADGE_PADDING);
  const half = (x: number, width: number, text: string, fill: string, ink: string) =>
    `<rect x="${x}" width="${width}" height="20" fill="${escapeMarkup(fill)}"/><text x="${x + width / 2}" y="14" fill="${escapeMarkup(ink)}" text-anchor="middle">${escapeMarkup(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" font-family="Verdana, 'DejaVu Sans', sans-serif" font-size="11">
<title>${escapeMarkup(formatSentence({ answer, entry }))}</title>
${half(0, left, count, colour('accent'), colour('on-accent'))}${half(left, right, embedTexts.parameters, colour('ink'), colour('paper'))}
</svg>
`;
}

/** The assumed width of a character and the padding of each half of a badge, in pixels. */
const BADGE_CHARACTER = 7;
const BADGE_PADDING = 10;

/** Markdown for the badge, which must be saved as parameters.svg, with a link to the count. */
export const formatBadgeMarkdown = (embedding: Embedding) =>
  `[![${typedShort(embedding.models[0].answer.totals.parameters)} ${embedTexts.parameters}](parameters.svg)](${formatPageAddress(embedding)})\n`;

/** Breaks text at spaces into lines of at most `room` characters, unless a word is longer. */
function breakLines(text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + word.length + 1 > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

export interface Form {
  readonly id: string;
  readonly label: string;
  readonly meaning: string;
  readonly write: (embedding: Embedding) => string;
}

export const forms: readonly Form[] = (
  [
    ['script', formatScript],
    ['frame', formatFrame],
    ['markdown', formatMarkdown],
    ['html', formatHtml],
    ['svg', formatSvg],
    ['badge', formatBadge],
    ['badgeMarkdown', formatBadgeMarkdown],
  ] as const
).map(([id, write]) => ({ id, write, label: embedTexts.forms[id], meaning: embedTexts.meanings[id] }));
