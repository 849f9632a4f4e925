// The name of a tensor in a narrow column. Lines break only after dots.

import { Fragment } from 'preact';

export const BreakingName = ({ name }: { name: string }) => (
  <code class="breaking-name">
    {name.split(/(?<=\.)/).map((word, i) => (
      <Fragment key={i}>
        {i > 0 && <wbr />}
        <span>{word}</span>
      </Fragment>
    ))}
  </code>
);
