// Edits a list of layer kinds: as a strip with one cell per layer, which a click changes, or as a pattern of letters that repeats over all
// layers.

import { useRef, useState } from 'preact/hooks';
import * as texts from '../texts/page.ts';
import type { ControlProps } from './control-props.ts';
import { lazy } from './lazy.tsx';

/** The maximum number of cells. A longer list has no cells; only the number of layers of each kind is shown. */
const MAX_CELLS = 512;
const TONES = 6;

const LayerPattern = lazy(
  async () => (await import('./layer-pattern.tsx')).LayerPattern,
  <input type="text" class="text-input" disabled />,
);

export function LayerStrip({ row, literal, id, describedBy, wrong, layers: most, put, say }: ControlProps) {
  const cells = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState(0);
  const choices = row.choices ?? [];
  const letters = lettersOf(choices);
  const given = listed(literal, letters);
  const layers = given ?? (Array.isArray(row.value) ? row.value.map(String) : undefined);

  const change = (now: readonly string[]) => put(`[${now.map((layer) => JSON.stringify(layer)).join(', ')}]`);
  const cycle = (list: readonly string[], at: number) =>
    change(list.map((layer, i) => (i === at ? choices[(choices.indexOf(layer) + 1) % choices.length] : layer)));
  const press = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key];
    const all = [...(cells.current?.children ?? [])] as HTMLElement[];
    const at = all.indexOf(event.target as HTMLElement);
    if (!step || at < 0) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, at + step))].focus();
  };

  const count = (choice: string) => layers?.filter((layer) => layer === choice).length ?? 0;
  const kinds = choices.filter((choice) => count(choice) > 0).map((choice) => `${letters.get(choice)} ${choice} × ${count(choice)}`);
  const tabbed = Math.min(reached, (layers?.length ?? 1) - 1);
  return (
    <div class="strip">
      <div
        class="cells"
        ref={cells}
        id={id}
        role="group"
        aria-labelledby={`${id}-name`}
        aria-describedby={describedBy}
        aria-invalid={wrong ? 'true' : undefined}
        onKeyDown={press}
      >
        {layers !== undefined &&
          layers.length <= MAX_CELLS &&
          layers.map((layer, i) => (
            <button
              key={i}
              type="button"
              tabIndex={i === tabbed ? 0 : -1}
              aria-label={texts.field.layer(i, layer)}
              title={texts.field.layer(i, layer)}
              data-tone={String(Math.max(0, choices.indexOf(layer)) % TONES)}
              onClick={() => cycle(layers, i)}
              onFocus={() => setReached(i)}
            >
              {letters.get(layer) ?? '?'}
            </button>
          ))}
      </div>
      {choices.length > 1 && (
        <LayerPattern
          name={row.name}
          kinds={letters}
          layers={most ?? layers?.length}
          change={(now) => (now.length > 0 ? change(now) : put())}
          say={say}
        />
      )}
      <div class="strip-foot">
        <p class="key">{layers === undefined ? texts.field.layersDerived : texts.field.layers(layers.length, kinds.join(', '))}</p>
        <button
          type="button"
          class="quiet"
          title={texts.field.removeLayer}
          aria-label={texts.field.removeLayer}
          disabled={!layers?.length}
          onClick={() => layers && change(layers.slice(0, -1))}
        >
          −
        </button>
        <button
          type="button"
          class="quiet"
          title={texts.field.addLayer}
          aria-label={texts.field.addLayer}
          onClick={() => change([...(layers ?? []), layers?.at(-1) ?? choices[0]])}
        >
          +
        </button>
      </div>
    </div>
  );
}

/** The kinds in a literal that is a list or a string of letters. Undefined for anything else, and if a letter is unknown. */
function listed(literal: string | undefined, letters: ReadonlyMap<string, string>): string[] | undefined {
  if (literal === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(literal);
    if (Array.isArray(list)) return list.map(String);
    const kindOf = new Map([...letters].map(([kind, letter]) => [letter, kind]));
    const kinds = typeof list === 'string' ? [...list].map((letter) => kindOf.get(letter)) : [undefined];
    return kinds.includes(undefined) ? undefined : (kinds as string[]);
  } catch {
    return undefined;
  }
}

/** The standard letters of layer kinds. A config.json of the type `generic` may use them, too: see core/families/formats/generic.cpp. */
const ALPHABET: Readonly<Record<string, string>> = {
  full_attention: 'A',
  sliding_attention: 'W',
  latent_attention: 'L',
  linear_attention: 'D',
  mamba: 'M',
  mamba2: 'S',
  dense: 'D',
  sparse: 'E',
  none: '-',
};

/** A letter for each choice: the standard one, or else the first letter or digit of its name that is free, or a free digit, or `?`. */
function lettersOf(choices: readonly string[]): Map<string, string> {
  const found = new Map(choices.flatMap((choice) => (ALPHABET[choice] ? [[choice, ALPHABET[choice]] as const] : [])));
  const used = new Set(found.values());
  for (const choice of choices) {
    if (found.has(choice)) continue;
    const letter = [...choice.toUpperCase().replace(/[^A-Z0-9]/g, ''), ...'123456789'].find((one) => !used.has(one)) ?? '?';
    found.set(choice, letter);
    used.add(letter);
  }
  return new Map(choices.map((choice) => [choice, found.get(choice) ?? '?']));
}
