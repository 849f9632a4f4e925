// Two to four models beside one another.

import { grouped } from '../lib/format.ts';
import { nameOf } from '../lib/model.ts';
import { texts } from '../lib/texts.ts';
import { NamedView } from '../parts/basics.tsx';
import type { ViewProps } from './all.ts';

const NAME = 'compare';

export function CompareView({ state: { models } }: ViewProps) {
  return (
    <NamedView value={NAME}>
      <main class="compare" id={`${NAME}-answer`} tabIndex={-1}>
        <h2>{texts.views.compare}</h2>
        <table class="account">
          <thead>
            <tr>
              <th scope="col">{texts.picker.label}</th>
              <th scope="col" class="digits">
                {texts.picture.parameters}
              </th>
            </tr>
          </thead>
          <tbody>
            {models.map(({ entry, answer }, i) => (
              <tr key={i}>
                <th scope="row">{nameOf(entry)}</th>
                <td class="digits">{answer.ok ? grouped(answer.totals.parameters) : answer.error.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </main>
    </NamedView>
  );
}
