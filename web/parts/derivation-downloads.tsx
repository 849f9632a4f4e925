// The export of a derivation: a choice of formats, and buttons that copy or save it.

import { useState } from 'preact/hooks';
import { derivedFormats } from '../export/derived-formats.ts';
import * as texts from '../core/derivation-texts.ts';
import * as exportsTexts from '../export/export-texts.ts';
import type { Derivation } from '../types/index.ts';
import { CopyButton, SaveButton, Segmented } from './buttons.tsx';

export function DerivedFormats({ derivation, name, address }: { derivation: Derivation; name: string; address?: string }) {
  const [chosen, setChosen] = useState(derivedFormats[0].id);
  const format = derivedFormats.find(({ id }) => id === chosen) ?? derivedFormats[0];
  const text = () => format.text(derivation, { title: name, address });
  return (
    <>
      <div class="sheet-head">
        <Segmented
          label={texts.shown.formats}
          name="derived-format"
          choices={derivedFormats.map(({ id, label }) => [id, label] as const)}
          chosen={chosen}
          choose={setChosen}
        />
        <div class="tools">
          <CopyButton label={exportsTexts.copy} title={exportsTexts.copyTitle(format.label)} text={text} />
          <SaveButton
            label={exportsTexts.save}
            title={exportsTexts.saveTitle(format.label, format.ending)}
            type={format.type}
            fileName={() => `${name.replace(/[^\w.-]+/g, '-')}-derivation.${format.ending}`}
            content={text}
          />
        </div>
      </div>
      <p class="meaning">{format.meaning}</p>
    </>
  );
}
