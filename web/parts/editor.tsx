// The config.json as text, with line numbers and a mark at the line of an error.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as editorTexts from './editor-texts.ts';
import * as texts from '../texts/page.ts';
import type { Answer } from '../types/index.ts';
import { useIds } from './basics.tsx';

/** The height of a line in pixels, as in the style sheet. */
const LINE_HEIGHT = 18;
/**
 * Texts with more lines or characters are shown only in part and cannot be edited. A browser needs about a second to lay out this many
 * lines.
 */
const MAX_LINES = 20_000;
const MAX_TEXT = 400_000;
/** The number of line numbers drawn above the first visible one, and below the 60 that follow it. The editor has room for fewer than 60. */
const MARGIN = 20;

interface EditorProps {
  readonly text: string;
  readonly answer: Answer;
  readonly edit: (text: string) => void;
}

export function Editor({ text, answer, edit }: EditorProps) {
  const id = useIds();
  const area = useRef<HTMLTextAreaElement>(null);
  const [top, setTop] = useState(0);
  const lines = countLines(text);
  const long = lines > MAX_LINES || text.length > MAX_TEXT;
  const shown = long ? beginning(text) : text;
  const error = answer.ok ? undefined : answer.error;
  const line = error?.line !== undefined && (!long || error.line <= countLines(shown)) ? error.line : undefined;

  // A shorter text may change the scroll position.
  useLayoutEffect(() => setTop(area.current?.scrollTop ?? 0), [shown]);

  const visit = () => {
    if (!area.current || !line) return;
    const before = shown.split('\n', line - 1);
    const at = before.reduce((sum, each) => sum + each.length + 1, 0) + (error?.column ?? 1) - 1;
    area.current.focus();
    area.current.setSelectionRange(at, at + 1);
    area.current.scrollTop = Math.max(0, (line - 4) * LINE_HEIGHT);
  };

  const first = Math.max(0, Math.floor(top / LINE_HEIGHT) - MARGIN);
  const numbers = Array.from({ length: Math.max(0, Math.min(countLines(shown) - first, 60 + 2 * MARGIN)) }, (_, i) => first + i + 1);
  return (
    <>
      <div class="editor">
        <div class="gutter" aria-hidden="true">
          {line && <div class="line-flag" style={{ transform: `translateY(${(line - 1) * LINE_HEIGHT - top}px)` }} />}
          <div class="line-numbers" style={{ transform: `translateY(${first * LINE_HEIGHT - top}px)` }}>
            {numbers.join('\n')}
          </div>
        </div>
        <textarea
          ref={area}
          class="config-text"
          aria-label={texts.panel.text}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={error ? id('text-error') : undefined}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          wrap="off"
          readOnly={long}
          value={shown}
          onInput={(event) => edit(event.currentTarget.value)}
          onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        />
      </div>
      {long && <p class="muted">{editorTexts.long(lines)}</p>}
      {error && (
        <p class="error" id={id('text-error')}>
          {line && (
            <>
              <button type="button" class="quiet" onClick={visit}>
                {editorTexts.place(line, error.column ?? 1)}
              </button>{' '}
            </>
          )}
          {error.message}
        </p>
      )}
    </>
  );
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

const beginning = (text: string) =>
  text
    .slice(0, MAX_TEXT / 4)
    .split('\n', 2_000)
    .join('\n');
