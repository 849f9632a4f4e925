// Models in little room as they are used: drawn, changed by their reader, drawn again. A widget has them in its shadow root, a frame on its page.

import { h, render } from 'preact';
import type { LazyCounter } from '../core/lazy-counter.ts';
import { formatHash } from '../config/link.ts';
import { editField, type Model } from '../models/model.ts';
import { NumbersScope } from '../parts/numbers-scope.ts';
import type { Numbers } from '../support/numbers.ts';
import { CompactView, type CompactProps } from './compact-view.tsx';

/** How they are shown at the moment. */
export interface Look extends Pick<CompactProps, 'parts' | 'plan' | 'editable' | 'exports'> {
  /** Where the whole page stands. */
  readonly page?: string;
  /** Of a widget, which may stand beside widgets in other languages. */
  readonly numbers?: Numbers;
}

export interface CompactModels {
  readonly now: readonly Model[];
  /** Others, counted by that; none are drawn where there are none. */
  show(models: readonly Model[], counter?: LazyCounter): void;
  /** Draws them as they look now. */
  draw(): void;
}

/** `name` tells them from others on the page; `changed` hears of what the reader changed. */
export function createCompactModels(name: string, place: Element, look: () => Look, changed: () => void = () => undefined): CompactModels {
  let counted: LazyCounter | undefined;
  const shown = {
    now: [] as readonly Model[],
    show(models: readonly Model[], counter?: LazyCounter) {
      shown.now = models;
      counted = counter;
      shown.draw();
    },
    draw() {
      const models = shown.now;
      const { page, numbers, ...rest } = look();
      if (models.length === 0) return;
      const paint = (link?: string) => {
        const view = h(CompactView, { ...rest, name, models, set, page: link });
        render(numbers ? h(NumbersScope, { numbers }, view) : view, place);
      };
      paint(page);
      if (page === undefined) return;
      const entries = models.map(({ entry }) => entry);
      void formatHash(entries, models.length > 1 ? 'compare' : '').then(
        (hash) => models === shown.now && hash !== undefined && paint(page + hash),
      );
    },
  };
  const set = (path: string, literal?: string) => {
    const [first, ...others] = shown.now;
    if (!counted) return;
    shown.show([editField(counted, first, path, literal), ...others], counted);
    changed();
  };
  return shown;
}
