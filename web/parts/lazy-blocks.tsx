// The picture of a block, which is loaded after the page stands: nothing above it waits for it.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { texts } from '../lib/texts.ts';
import { blockTexts } from '../lib/texts/block.ts';
import type { CountAnswer, TensorRow } from '../lib/types.ts';
import { useIds } from './basics.tsx';

interface BlocksProps {
  readonly answer: CountAnswer;
  readonly name: string;
  readonly waits?: boolean;
  readonly choose: (rows: readonly TensorRow[]) => void;
}

let Blocks: ComponentType<BlocksProps> | undefined;

export function LazyBlocks(props: BlocksProps) {
  const id = useIds();
  const [, arrive] = useState(false);
  const [trouble, say] = useState('');
  useEffect(() => {
    if (Blocks) return;
    import('./blocks.tsx').then(
      (module) => {
        Blocks = module.Blocks;
        arrive(true);
      },
      (error: Error) => say(error.message),
    );
  }, []);
  return (
    <>
      <div class="sheet-head">
        <h2 id={id('blocks')}>{blockTexts.heading}</h2>
      </div>
      {Blocks ? <Blocks {...props} /> : <p class="muted">{trouble || blockTexts.loading}</p>}
    </>
  );
}
