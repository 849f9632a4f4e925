// Draws one layer of each kind as a picture and, for screen readers, as a list. At most four kinds are drawn for each tower, for the
// projector, and for the rest of the model.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { parseConfig } from '../config/config-text.ts';
import { drawBlock, formatUnitName, isSettled } from '../drawings/block-drawing.ts';
import { formatUnitSize } from '../drawings/block-sizes.ts';
import { groupByKind, type LayerKind } from '../answer/block-kinds.ts';
import type { Settings } from '../answer/layer-flow.ts';
import { findBlocks, listModuleRows, type Module, type Unit } from '../answer/layer-blocks.ts';
import { grouped } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import * as blockTexts from '../drawings/block-texts.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';
import { useIds } from './basics.tsx';
import { Picture } from './drawn.tsx';
import { SavePicture } from './save-picture.tsx';
import { lightHandlers, useTensorLight } from './tensor-light.tsx';

interface BlocksProps {
  readonly answer: CountAnswer;
  /** The configuration that the answer is for. */
  readonly config: string;
  readonly name: string;
  /** Whether the answer is outdated because the current text is refused. */
  readonly waits?: boolean;
  /** Called with the tensors that are clicked in the picture or in the list. */
  readonly choose: (rows: readonly TensorRow[]) => void;
}

export function Blocks({ answer, config, name, waits, choose }: BlocksProps) {
  const id = useIds();
  const { drawn, others } = useMemo(() => groupByKind(findBlocks(answer)), [answer]);
  const wide = useWide();
  const settings = useMemo(() => parseConfig(config), [config]);
  if (drawn.length === 0) return <p class="muted">{blockTexts.none}</p>;
  return (
    <>
      <div class="blocks" tabIndex={0} role="region" aria-labelledby={id('blocks')}>
        {drawn.map((kind) => (
          <OneBlock key={formatUnitName(kind.block)} {...{ answer, settings, kind, name, waits, wide, choose }} />
        ))}
      </div>
      <p class="meaning">
        {blockTexts.caption} {others > 0 && blockTexts.more(others)}
      </p>
    </>
  );
}

/** A media query: the window is wide enough to draw steps side by side. */
const WIDE = '(min-width: 1000px)';

function useWide(): boolean {
  const [query, paper] = useMemo(() => [matchMedia(WIDE), matchMedia('print')], []);
  const [wide, setWide] = useState(query.matches);
  useEffect(() => {
    // Ignores changes while printing. Paper may be narrower than the window. A component that is redrawn during printing is not printed,
    // nor is anything after it.
    const listener = () => !paper.matches && setWide(query.matches);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  }, [query, paper]);
  return wide;
}

interface OneBlockProps extends Omit<BlocksProps, 'config'> {
  readonly settings: Settings;
  readonly kind: LayerKind;
  readonly wide: boolean;
}

function OneBlock({ answer, settings, kind: { block, alike }, name, waits, wide, choose }: OneBlockProps) {
  const drawing = useMemo(() => drawBlock(block, answer, wide, settings), [block, answer, wide, settings]);
  return (
    <figure>
      <figcaption>
        <code>{formatUnitName(block)}</code> <strong>{blockTexts.copies(grouped(block.copies))}</strong>
        <SavePicture waits={waits} drawing={() => drawing} what={formatUnitName(block)} fileName={`${name}-${formatUnitName(block)}`} />
        {!isSettled(block, answer.model_type, settings) && <small class="muted">{blockTexts.unsettled}</small>}
        {alike.length > 0 && <small class="muted">{blockTexts.alike(alike.map(formatUnitName))}</small>}
      </figcaption>
      <Picture drawing={drawing} choose={choose} />
      <ul class="spoken" aria-label={drawing.title} onKeyDown={walk}>
        {block.modules.map((module, i) => (
          <ModuleItem key={module.name} module={module} isFirst={i === 0} choose={choose} />
        ))}
      </ul>
    </figure>
  );
}

function ModuleItem({ module, isFirst, choose }: { module: Module; isFirst: boolean; choose: BlocksProps['choose'] }) {
  return (
    <li>
      <Lighting
        rows={listModuleRows(module)}
        label={blockTexts.module(module.name, partLabel(module.part))}
        isFirst={isFirst}
        choose={choose}
      />
      <ul>
        {module.units.map((unit) => (
          <UnitItem key={unit.name} unit={unit} choose={choose} />
        ))}
        {module.groups.map(({ name, copies, units }) => (
          <li key={name}>
            <Lighting rows={units.flatMap(({ rows }) => rows)} label={`${name} × ${grouped(copies)}`} choose={choose} />
            <ul>
              {units.map((unit) => (
                <UnitItem key={unit.name} unit={unit} choose={choose} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </li>
  );
}

const UnitItem = ({ unit: { name, rows }, choose }: { unit: Unit; choose: BlocksProps['choose'] }) => (
  <li>
    <Lighting rows={rows} label={blockTexts.tensor(name, formatUnitSize(rows[0]))} choose={choose} />
  </li>
);

interface LightingProps {
  readonly rows: readonly TensorRow[];
  readonly label: string;
  /** Whether the Tab key reaches this button. Arrow keys move from there to the other buttons. */
  readonly isFirst?: boolean;
  readonly choose: BlocksProps['choose'];
}

/** A visually hidden button for some tensors. They are highlighted when it receives the focus, until the focus or the pointer moves. */
function Lighting({ rows, label, isFirst = false, choose }: LightingProps) {
  const light = useTensorLight();
  return (
    <button type="button" tabIndex={isFirst ? 0 : -1} {...lightHandlers(light, rows)} onClick={() => choose(rows)}>
      {label}
    </button>
  );
}

function walk(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const buttons = [...(event.currentTarget as Element).querySelectorAll('button')];
  buttons[buttons.indexOf(event.target as HTMLButtonElement) + step]?.focus({ preventScroll: true });
  event.preventDefault();
}
