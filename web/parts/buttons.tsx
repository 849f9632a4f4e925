// Small controls: a choice between a few values, and buttons that copy, save and open.

import { useEffect, useRef, useState } from 'preact/hooks';
import * as texts from '../texts/page.ts';
import { Spoken, useIds } from './basics.tsx';

interface SegmentedProps<T extends string> {
  readonly label: string;
  /** A name for the group that is unique in the view. */
  readonly name: string;
  readonly choices: readonly (readonly [value: T, label: string])[];
  readonly chosen: T;
  readonly choose: (value: T) => void;
}

/** A choice between a few values, all of them visible. */
export function Segmented<T extends string>({ label, name, choices, chosen, choose }: SegmentedProps<T>) {
  const id = useIds();
  return (
    <fieldset class="segmented">
      <legend class="spoken">{label}</legend>
      {choices.map(([value, text]) => (
        <label key={value}>
          <input type="radio" name={id(name)} value={value} checked={value === chosen} onChange={() => choose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface CopyProps {
  readonly label: string;
  /** A tooltip, which screen readers read after the label: what is copied, or a remark such as why copying is disabled. */
  readonly title: string;
  /** Returns the text to copy. If it is undefined, nothing is copied, and the button shows `instead`. */
  readonly text: () => string | undefined | Promise<string | undefined>;
  readonly instead?: string;
  readonly disabled?: boolean;
}

/** A button that copies a text. Its label then says for a few seconds whether this succeeded. */
export function CopyButton({ label, title, text, instead = texts.notAllowed, disabled = false }: CopyProps) {
  const [said, setSaid] = useState<{ word: string; spoken: string }>();
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = async (event: Event) => {
    const button = event.currentTarget as HTMLElement;
    const content = await text();
    const done = content !== undefined && (await copy(content, button));
    setSaid(
      done
        ? { word: texts.copied, spoken: texts.copied }
        : { word: content === undefined ? instead : texts.notAllowed, spoken: content === undefined ? instead : texts.notAllowedSpoken },
    );
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setSaid(undefined), done ? 1_500 : 4_000);
  };
  return (
    <button type="button" class="quiet" title={title} aria-label={`${said?.word ?? label}: ${title}`} disabled={disabled} onClick={press}>
      <span>{said?.word ?? label}</span>
      <span class="spoken" role="status">
        {said?.spoken}
      </span>
    </button>
  );
}

async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, button);
  }
}

/**
 * Copies by selecting text, if the clipboard API is missing or refuses, for example inside a frame. This requires only that the user has
 * just clicked or pressed a key. Returns whether the text was copied.
 */
function copyBySelection(text: string, button: HTMLElement): boolean {
  const area = document.createElement('textarea');
  area.className = 'spoken';
  area.setAttribute('aria-hidden', 'true');
  area.value = text;
  button.after(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  button.focus();
  return done;
}

interface SaveProps {
  readonly label: string;
  readonly title: string;
  readonly fileName: () => string;
  readonly type: string;
  /** Returns the content of the file. If it is undefined, nothing is saved. */
  readonly content: () => string | Blob | undefined | Promise<string | Blob | undefined>;
  readonly disabled?: boolean;
}

/** A button that saves content as a file. */
export function SaveButton({ label, title, fileName, type, content, disabled = false }: SaveProps) {
  const press = async () => {
    const made = await content();
    if (made === undefined) return;
    const url = URL.createObjectURL(new Blob([made], { type }));
    const link = document.createElement('a');
    link.href = url;
    link.download = fileName();
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <button type="button" class="quiet" title={title} aria-label={`${label}: ${title}`} disabled={disabled} onClick={press}>
      {label}
    </button>
  );
}

interface OpenProps {
  readonly label: string;
  readonly title?: string;
  readonly openFiles: (files: readonly File[]) => void;
}

/** A button that opens files: configurations, or files with tensors. */
export function OpenButton({ label, title, openFiles }: OpenProps) {
  const files = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="open-file" title={title} onClick={() => files.current?.click()}>
        {label}
      </button>
      <Spoken>
        <input
          ref={files}
          type="file"
          multiple
          accept=".json,.txt,.safetensors,application/json,text/plain"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            if (chosen.length > 0) openFiles(chosen);
            event.currentTarget.value = '';
          }}
        />
      </Spoken>
    </>
  );
}

interface CopyLinkProps {
  readonly link: CopyProps['text'];
  /** True if the link is a full address that others can open, false if it is only the part after the page's address. */
  readonly isAddress: boolean;
}

/** A button that copies the link to the current state of the page. */
export const CopyLink = ({ link, isAddress }: CopyLinkProps) => (
  <CopyButton
    label={isAddress ? texts.link.copy : texts.link.fragment}
    title={isAddress ? texts.link.copyTitle : texts.link.fragmentTitle}
    text={link}
    instead={texts.link.tooLongToCopy}
  />
);
