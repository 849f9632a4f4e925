// A choice of export formats, with a preview of the chosen one.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { formats } from '../export/formats.ts';
import * as texts from '../texts/page.ts';
import * as exportsTexts from '../export/export-texts.ts';
import type { CountAnswer } from '../types/index.ts';
import { useIds } from './basics.tsx';
import { CopyButton, SaveButton, Segmented } from './buttons.tsx';

/** The number of lines in the preview. */
const PREVIEW = 14;
/** The maximum length of a line in the preview, in characters. */
const WIDTH = 400;

export interface ExportsProps {
  readonly answer: CountAnswer;
  readonly name: string;
  /** Whether exporting is enabled. It is not while the answer is outdated. */
  readonly enabled: boolean;
  /** Makes a link to the current state of the page; undefined if it would be too long. */
  readonly link?: () => Promise<string | undefined>;
}

export function Formats({ answer, name, enabled, link }: ExportsProps) {
  const id = useIds();
  const [chosen, setChosen] = useState(formats[0].id);
  const [address, setAddress] = useState<string>();
  const format = formats.find((one) => one.id === chosen) ?? formats[0];
  useEffect(() => {
    let outdated = false;
    void link?.().then((found) => outdated || setAddress(found));
    return () => void (outdated = true);
  }, [answer]);
  const about = { title: name, address, date: new Date().toISOString().slice(0, 10) };
  const written = useMemo(() => {
    try {
      return { text: format.text(answer, about) };
    } catch (error) {
      return { trouble: (error as Error).message };
    }
  }, [format, answer, name, address]);
  const { labels } = exportsTexts;
  const wait = (title: string) => (enabled ? title : texts.total.wait);
  return (
    <>
      <div class="sheet-head">
        <Segmented
          label={exportsTexts.format}
          name="format"
          choices={formats.map((one) => [one.id, one.label] as const)}
          chosen={chosen}
          choose={setChosen}
        />
        <div class="tools">
          <CopyButton
            label={exportsTexts.copy}
            title={wait(exportsTexts.copyTitle(labels[chosen]))}
            text={() => format.copied?.(answer) ?? written.text}
            disabled={!enabled || written.text === undefined}
          />
          <SaveButton
            label={exportsTexts.save}
            title={wait(exportsTexts.saveTitle(labels[chosen], format.ending))}
            type={format.type}
            fileName={() =>
              `${name.replace(/[^\w.-]+/g, '-')}${format.id === format.ending || !shared(format) ? '' : `-${format.id}`}.${format.ending}`
            }
            content={() => written.text}
            disabled={!enabled || written.text === undefined}
          />
        </div>
      </div>
      <p class="meaning" id={id('format-meaning')}>
        {format.meaning}
      </p>
      {written.trouble && <p class="error">{written.trouble}</p>}
      {written.text !== undefined && <Preview text={written.text} />}
    </>
  );
}

/**
 * Whether another format has the same file name extension. The format's id is then added to the file name, unless it equals the extension.
 */
const shared = ({ ending }: (typeof formats)[number]) => formats.filter((other) => other.ending === ending).length > 1;

function Preview({ text }: { text: string }) {
  const lines = text.trimEnd().split('\n');
  const hidden = lines.length - PREVIEW;
  return (
    <pre class="preview" role="region" aria-label={exportsTexts.preview} tabIndex={0}>
      {lines
        .slice(0, PREVIEW)
        .map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH)} …` : line))
        .join('\n')}
      {hidden > 0 && `\n${exportsTexts.more(hidden)}`}
    </pre>
  );
}
