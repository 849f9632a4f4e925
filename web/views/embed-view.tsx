// Makes code that embeds the models of the page in a post. The user chooses what is shown, which fields can be changed, and the colours.
// There is a live preview, and each kind of code can be copied.

import { useEffect, useRef, useState } from 'preact/hooks';
import { COMPACT_PARTS, type CompactPart, type CompactTheme, type Editable } from '../settings/compact.ts';
import { findSite } from '../export/embed-markup.ts';
import { forms, type Embedding } from '../export/embedding.ts';
import { formatHash } from '../config/link.ts';
import type { Model } from '../models/model.ts';
import * as texts from '../texts/page.ts';
import * as embedTexts from '../export/embed-texts.ts';
import { NamedView } from '../parts/basics.tsx';
import { CopyButton, SaveButton, Segmented } from '../parts/buttons.tsx';
import type { ViewProps } from './view-props.ts';
import { CompactView } from './compact-view.tsx';

const NAME = 'embed';

const THEMES = [
  ['', texts.theme.auto],
  ['light', texts.theme.light],
  ['dark', texts.theme.dark],
] as const;

const SIZES = [
  ['wide', embedTexts.wide],
  ['phone', embedTexts.phone],
] as const;

/** The maximum number of fields that are offered. */
const MAX_FIELDS = 12;

export function EmbedView({ store, state }: ViewProps) {
  const { models, active } = state;
  const [parts, setParts] = useState<readonly CompactPart[]>(['total', 'parts']);
  const [editable, setEditable] = useState<readonly Editable[]>([]);
  const [theme, setTheme] = useState<CompactTheme>('');
  const [size, setSize] = useState<'wide' | 'phone'>('wide');
  const [form, setForm] = useState('script');
  const [preview, height] = useHeight();
  const hashes = useHashes(models);
  // Without a comparison, only the current model is embedded. The fields that readers may change are those of the first model.
  const shown = parts.includes('compare') ? models : [models[active]];
  const first = shown[0];
  const answered = shown.flatMap(({ entry, answer }) => (answer.ok ? [{ entry, answer }] : []));
  const embedding: Embedding | undefined =
    hashes && answered.length === shown.length
      ? {
          parts,
          editable: editable.filter(({ field }) => first.form.fields.some(({ name }) => name === field)),
          theme,
          models: answered,
          hashes: shown.map((model) => hashes[models.indexOf(model)]),
          site: findSite(),
          height,
          colour: (name) =>
            (preview.current ? getComputedStyle(preview.current).getPropertyValue(`--${name}`).trim() : '') || 'currentColor',
        }
      : undefined;
  const toggle = (part: CompactPart, on: boolean) => setParts(COMPACT_PARTS.filter((one) => (one === part ? on : parts.includes(one))));
  return (
    <NamedView value={NAME}>
      <main class="embed" id={`${NAME}-answer`} tabIndex={-1}>
        <div class="embed-choices">
          <h2>{embedTexts.title}</h2>
          <p class="muted">{embedTexts.about}</p>
          <fieldset>
            <legend>{embedTexts.shows}</legend>
            {COMPACT_PARTS.map((part) => (
              <label key={part} class="tick">
                <input
                  type="checkbox"
                  checked={parts.includes(part)}
                  disabled={(part === 'compare' && models.length < 2) || (parts.length === 1 && parts[0] === part)}
                  onChange={(event) => toggle(part, event.currentTarget.checked)}
                />{' '}
                {embedTexts.parts[part]}
              </label>
            ))}
          </fieldset>
          <Allowed model={first} editable={editable} allow={setEditable} />
          <div class="embed-looks">
            <Segmented label={texts.theme.label} name="embed-theme" choices={THEMES} chosen={theme} choose={setTheme} />
            <Segmented label={embedTexts.size} name="embed-size" choices={SIZES} chosen={size} choose={setSize} />
          </div>
        </div>
        <div class="embed-result">
          <h3>{embedTexts.preview}</h3>
          <div class="embed-preview" data-theme={theme || undefined} data-size={size}>
            <div ref={preview}>
              <CompactView
                name="preview"
                models={shown}
                parts={parts}
                editable={editable}
                set={(path, literal) => store.act({ type: 'set', path, literal, at: models.indexOf(first) })}
                page={findSite()}
              />
            </div>
          </div>
          <Forms embedding={embedding} form={form} setForm={setForm} />
        </div>
      </main>
    </NamedView>
  );
}

interface FormsProps {
  /** The input of the embed code; undefined if a model that is shown is refused, and until all models have addresses. */
  readonly embedding: Embedding | undefined;
  readonly form: string;
  readonly setForm: (form: string) => void;
}

/** Lets the user choose a kind of embed code, and shows the code with buttons that copy or save it. */
function Forms({ embedding, form, setForm }: FormsProps) {
  const chosen = forms.find(({ id }) => id === form) ?? forms[0];
  return (
    <>
      <div class="embed-forms">
        <Segmented
          label={embedTexts.form}
          name="embed-form"
          choices={forms.map(({ id, label }) => [id, label] as const)}
          chosen={form}
          choose={setForm}
        />
        {embedding && (
          <>
            <CopyButton label={embedTexts.copy} title={embedTexts.copyTitle(chosen.label)} text={() => chosen.write(embedding)} />
            {(chosen.id === 'svg' || chosen.id === 'badge') && (
              <SaveButton
                label={embedTexts.save}
                title={embedTexts.saveTitle}
                fileName={() => 'parameters.svg'}
                type="image/svg+xml"
                content={() => chosen.write(embedding)}
              />
            )}
          </>
        )}
      </div>
      <p class="muted">{chosen.meaning}</p>
      {chosen.id === 'script' && <p class="muted">{embedTexts.needs(findSite())}</p>}
      <pre class="snippet" tabIndex={0} aria-label={embedTexts.snippet}>
        {embedding ? chosen.write(embedding) : embedTexts.notCounted}
      </pre>
    </>
  );
}

/** The current height of an element, in pixels, and 0 until it is measured. */
function useHeight() {
  const element = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([{ contentRect }]) => setHeight(Math.ceil(contentRect.height)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, height] as const;
}

interface AllowedProps {
  readonly model: Model;
  readonly editable: readonly Editable[];
  readonly allow: (editable: readonly Editable[]) => void;
}

/** The fields that readers of the post may change, and their bounds. */
function Allowed({ model, editable, allow }: AllowedProps) {
  const fields = model.form.fields
    .filter(({ type = 'integer', source, value }) => source !== 'ignored' && type === 'integer' && /^\d+$/.test(String(value)))
    .sort((a, b) => Number(b.headline ?? false) - Number(a.headline ?? false))
    .slice(0, MAX_FIELDS);
  const boundsOf = (value: unknown) => ({ least: '1', most: String(2n * BigInt(String(value)) || 1n) });
  return (
    <fieldset>
      <legend>{embedTexts.mayChange}</legend>
      {fields.map(({ name, value, meaning }) => {
        const own = editable.find(({ field }) => field === name);
        const others = editable.filter(({ field }) => field !== name);
        const bound = (which: 'least' | 'most') =>
          own && (
            <input
              type="text"
              inputMode="numeric"
              aria-label={embedTexts.bound[which](name)}
              value={own[which]}
              onChange={(event) => {
                const text = event.currentTarget.value.replace(/\D/g, '');
                if (text !== '') allow([...others, { ...own, [which]: text }]);
              }}
            />
          );
        return (
          <div key={name} class="may-change">
            <label class="tick" title={meaning}>
              <input
                type="checkbox"
                checked={own !== undefined}
                onChange={(event) => allow(event.currentTarget.checked ? [...editable, { field: name, ...boundsOf(value) }] : others)}
              />{' '}
              <code>{name}</code>
            </label>
            {own && (
              <span class="bounds">
                {bound('least')} – {bound('most')}
              </span>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

/** The address fragment of each model; undefined until all fragments have been made, or if one would be too long. */
function useHashes(models: readonly Model[]): readonly string[] | undefined {
  const [made, setMade] = useState<{ models: readonly Model[]; hashes: readonly string[] } | undefined>();
  useEffect(() => {
    let outdated = false;
    void Promise.all(models.map(({ entry }) => formatHash([entry]))).then((hashes) => {
      if (outdated || hashes.includes(undefined)) return;
      setMade({ models, hashes: hashes.map((hash) => (hash as string).slice(1)) });
    });
    return () => void (outdated = true);
  }, [models]);
  return made?.models === models ? made.hashes : undefined;
}
