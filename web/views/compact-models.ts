// Draws models in compact form, in a widget's shadow root or on the page in a frame. Readers may edit some fields of the first model.

import { h, render } from 'preact';
import type { LazyCounter } from '../core/lazy-counter.ts';
import { formatHash } from '../config/link.ts';
import { editField, type Model } from '../models/model.ts';
import { NumbersScope } from '../parts/numbers-scope.ts';
import type { Numbers } from '../support/numbers.ts';
import { CompactView, type CompactProps } from './compact-view.tsx';

/** How the models are shown. */
export interface Look extends Pick<CompactProps, 'parts' | 'plan' | 'editable' | 'exports'> {
  /** The address of the full page. */
  readonly page?: string;
  /** The number format of the widget's language. Other widgets on the page may use other languages. */
  readonly numbers?: Numbers;
}

export interface CompactModels {
  readonly now: readonly Model[];
  /** Shows these models; with an empty list, nothing is drawn. Without a `counter`, they cannot be edited. */
  show(models: readonly Model[], counter?: LazyCounter): void;
  /** Draws the models again, for example after `look` has changed. */
  draw(): void;
}

/** `name` distinguishes these models from others on the page, in element ids. `changed` is called after each edit by the reader. */
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
