// The list of keyboard shortcuts, and a switch for those of a single key.

import * as keysTexts from './keys-texts.ts';

interface KeysProps {
  readonly keys: boolean;
  readonly setKeys: (on: boolean) => void;
}

export const Keys = ({ keys, setKeys }: KeysProps) => (
  <>
    <dl>
      {keysTexts.shortcuts.map(([key, what]) => (
        <div key={key}>
          <dt>
            {key.split(' ').map((one) => (
              <>
                <kbd>{one}</kbd>{' '}
              </>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <label>
      <input type="checkbox" checked={keys} onChange={(event) => setKeys(event.currentTarget.checked)} /> {keysTexts.letters}
    </label>
  </>
);
