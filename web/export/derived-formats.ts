// The export formats of a derivation.

import { neutral } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import type { Derivation } from '../types/index.ts';
import { formatDerivationHtml } from './derived-html.ts';
import { formatDerivationLatex } from './derived-latex.ts';
import { formatDerivationMarkdown, formatDerivationPlain } from './derived-markdown.ts';
import type { About } from './derived-pieces.ts';

export interface DerivedFormat {
  readonly id: string;
  readonly label: string;
  /** What the format is for. */
  readonly meaning: string;
  /** The file extension. */
  readonly ending: string;
  readonly type: string;
  readonly text: (derivation: Derivation, about: About) => string;
}

/** Exports the derivation as a worked article with the model's name in its title. */
const formatArticle = ({ article }: Derivation, { title }: About): string =>
  `${JSON.stringify({ ...article, title: texts.title(title) }, null, 2)}\n`;

export const derivedFormats: readonly DerivedFormat[] = [
  { id: 'markdown', ending: 'md', type: 'text/markdown', text: formatDerivationMarkdown },
  { id: 'plain', ending: 'md', type: 'text/markdown', text: formatDerivationPlain },
  { id: 'html', ending: 'html', type: 'text/html', text: formatDerivationHtml },
  { id: 'latex', ending: 'tex', type: 'application/x-tex', text: formatDerivationLatex },
  { id: 'article', ending: 'json', type: 'application/json', text: formatArticle },
].map(({ text, ...format }) => ({
  ...format,
  label: texts.formats[format.id],
  meaning: texts.meanings[format.id],
  // Exports do not follow the user's number format, because programs read them, too.
  text: (derivation: Derivation, about: About) => neutral(() => text(derivation, about)),
}));
