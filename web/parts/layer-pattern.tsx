// A text field for the kinds of layers as a pattern of letters. The pattern repeats until every layer has a kind.

import { useState } from 'preact/hooks';
import * as texts from './layer-pattern-texts.ts';

interface PatternProps {
  /** The name of the field with the layer kinds. */
  readonly name: string;
  /** The letter of each kind. */
  readonly kinds: ReadonlyMap<string, string>;
  /** The number of layers. If it is unknown, there are as many layers as letters. */
  readonly layers: number | undefined;
  /** Called with the kinds from the first layer to the last; empty if nothing is typed. */
  readonly change: (kinds: readonly string[]) => void;
  /** Called with an explanation if a letter is unknown, otherwise with undefined. */
  readonly say: (trouble: string | undefined) => void;
}

/** The largest number of layers that the core accepts in a model with several kinds of layers. */
const MOST = 10_000;

export function LayerPattern({ name, kinds, layers, change, say }: PatternProps) {
  const [pattern, setPattern] = useState('');
  const kindOf = new Map([...kinds].map(([kind, letter]) => [letter, kind]));
  const input = (text: string) => {
    setPattern(text);
    const typed = [...text.toUpperCase().replace(/[\s,]/g, '')];
    const unknown = typed.find((letter) => !kindOf.has(letter));
    if (unknown !== undefined) return say(texts.noKind(unknown, [...kindOf].map((pair) => pair.join(' ')).join(', ')));
    say(undefined);
    const length = typed.length === 0 ? 0 : Math.min(layers ?? typed.length, MOST);
    change(Array.from({ length }, (_, i) => kindOf.get(typed[i % typed.length]) as string));
  };
  return (
    <>
      <input
        type="text"
        class="text-input"
        autocomplete="off"
        spellcheck={false}
        aria-label={texts.label(name)}
        title={texts.title}
        placeholder={texts.hint([...kindOf.keys()])}
        value={pattern}
        onInput={(event) => input(event.currentTarget.value)}
        onBlur={() => say(undefined)}
      />
      <span class="pattern-legend" role="group" aria-label={texts.legend(name)}>
        {[...kindOf].map(([letter, kind]) => (
          <button key={letter} type="button" class="quiet" title={texts.append(kind)} onClick={() => input(pattern + letter)}>
            <b>{letter}</b> {kind}
          </button>
        ))}
      </span>
    </>
  );
}
