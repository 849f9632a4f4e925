// A table of what fits in memory: common weight formats by common context lengths, computed by the core one row at a time.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Ledger } from '../core/ledger.ts';
import { findDevice, toMemoryOptions, type MemorySetting } from '../settings/memory-setting.ts';
import * as texts from '../settings/memory-texts.ts';
import { inUnit, type Unit } from '../settings/memory-texts.ts';
import { grouped } from '../support/numbers.ts';
import type { MemoryAnswer, Refusal } from '../types/index.ts';
import { Digits } from './memory-tables.tsx';

const FORMATS = ['published', 'float8', 'int8', 'Q6_K', 'Q4_K_M', 'int4', 'nf4'];
const CONTEXTS = ['4096', '32768', '131072', '1048576'];

interface MatrixProps {
  readonly ledger: Ledger;
  readonly text: string;
  readonly setting: MemorySetting;
  readonly set: (change: Partial<MemorySetting>) => void;
}

type Row = readonly (MemoryAnswer | Refusal)[];

export function FormatsByContexts({ ledger, text, setting, set }: MatrixProps) {
  // The current context length and weight format are always included.
  const contexts = useMemo(() => inOrder([...new Set([...CONTEXTS, setting.context])]), [setting.context]);
  const formats = useMemo(() => [...new Set([...FORMATS, setting.weights])], [setting.weights]);
  const { batch, cache, device, gb, devices, reserve } = setting;
  const of = [text, batch, cache, device, gb, devices, reserve, contexts.join(), formats.join()].join('\n');
  const [made, setMade] = useState<{ readonly of: string; readonly rows: readonly Row[] }>({ of: '', rows: [] });
  const rows = made.of === of ? made.rows : [];
  useEffect(() => {
    if (rows.length === formats.length) return;
    // One row at a time, so that the page can respond to keys in between.
    const timer = setTimeout(() => {
      const weights = formats[rows.length];
      const row = contexts.map((context) => ledger.memory(text, toMemoryOptions({ ...setting, weights, context })));
      setMade({ of, rows: [...rows, row] });
    });
    return () => clearTimeout(timer);
  }, [of, rows.length]);
  const unit = setting.unit as Unit;
  const place = findDevice(setting);
  return (
    <div class="memory-matrix">
      <h3>{texts.matrix}</h3>
      <p class="memory-note">{texts.matrixNote(`${devices} × ${place?.name ?? texts.ownName(`${gb} GB`)}`)}</p>
      <div class="memory-scroll" role="region" aria-label={texts.matrix} tabIndex={0}>
        <table class="account">
          <thead>
            <tr>
              <th scope="col">{texts.weights}</th>
              {contexts.map((context) => (
                <Digits key={context} head>
                  {grouped(context)}
                </Digits>
              ))}
              <Digits head>{texts.columns.longest}</Digits>
            </tr>
          </thead>
          <tbody>
            {formats.map((weights, i) => (
              <tr key={weights}>
                <th scope="row">{texts.formats[weights]}</th>
                {contexts.map((context, j) => (
                  <Digits key={context}>
                    <Cell
                      answer={rows[i]?.[j]}
                      unit={unit}
                      isSet={weights === setting.weights && context === setting.context}
                      title={(fits) => texts.cellTitle(texts.formats[weights], context, fits)}
                      choose={() => set({ weights, context })}
                    />
                  </Digits>
                ))}
                <Digits>{longestOf(rows[i]?.[0])}</Digits>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const inOrder = (numbers: readonly string[]) => [...numbers].sort((a, b) => Number(a) - Number(b));

function longestOf(answer: MemoryAnswer | Refusal | undefined): string {
  if (!answer?.ok || !answer.room) return '';
  return answer.room.unlimited ? texts.anyContext : grouped(answer.room.longest);
}

interface CellProps {
  readonly answer: MemoryAnswer | Refusal | undefined;
  readonly unit: Unit;
  readonly isSet: boolean;
  readonly title: (fits: boolean) => string;
  readonly choose: () => void;
}

function Cell({ answer, unit, isSet, title, choose }: CellProps) {
  if (!answer) return <>…</>;
  if (!answer.ok || !answer.need || !answer.room) return <>{texts.unknown}</>;
  const { fits } = answer.room;
  return (
    <button
      type="button"
      class="part memory-cell"
      data-fits={fits ? '' : undefined}
      aria-pressed={isSet}
      title={title(fits)}
      aria-label={`${inUnit(answer.need, unit)}. ${title(fits)}`}
      onClick={choose}
    >
      {inUnit(answer.need, unit)} <span aria-hidden="true">{fits ? '✓' : '✗'}</span>
    </button>
  );
}
