// The section that exports a model as text, table, formula or program. The code that writes these formats is loaded when the section is
// first opened.

import { useState } from 'preact/hooks';
import * as texts from '../texts/page.ts';
import type { ExportsProps } from './format-list.tsx';
import { lazy } from './lazy.tsx';

const Formats = lazy(async () => (await import('./format-list.tsx')).Formats);

export function Exports(props: ExportsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="exports" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{texts.exports.open}</h2> <span class="muted">{texts.exports.openTitle}</span>
      </summary>
      {isOpen && <Formats {...props} />}
    </details>
  );
}
