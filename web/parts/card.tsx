// Buttons that copy or save a model's card, which is a picture for sharing. The code that draws the card is loaded on demand.

import { useRef, useState } from 'preact/hooks';
import { isStale, ownerOf, publishedOf, shownNameOf, type Model } from '../models/model.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer } from '../types/index.ts';
import { SavePicture } from './save-picture.tsx';

interface CardProps {
  readonly model: Model;
  readonly answer: CountAnswer;
  readonly link?: () => Promise<string | undefined>;
}

export function CardButtons({ model, answer, link }: CardProps) {
  const [said, setSaid] = useState('');
  const name = shownNameOf(model);
  const waits = isStale(model);
  const element = useRef<HTMLDivElement>(null);
  const isDark = () => element.current !== null && getComputedStyle(element.current).colorScheme === 'dark';
  const drawing = async () => {
    const [{ drawCard }, address] = await Promise.all([import('../drawings/card-drawing.ts'), link?.()]);
    const published = publishedOf(model);
    const source = published ? `${published.source}; ${published.recorded}` : ownerOf(model.entry);
    return drawCard(answer, { name, source, address });
  };
  const picture = async () => {
    const [{ COLOURS, DARK, formatSvg }, { png }] = await Promise.all([import('../drawings/svg.ts'), import('./png.ts')]);
    return (await png(formatSvg(await drawing(), isDark() ? DARK : COLOURS), 1)) ?? Promise.reject(new Error(texts.notAllowed));
  };
  /** Passes the clipboard a promise, so that the picture may be finished after the click. */
  const copy = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture() })]);
      setSaid(texts.copied);
    } catch {
      setSaid(texts.notAllowed); // also if the browser has no clipboard for pictures, for example without https
    }
  };
  return (
    <div class="card-buttons" ref={element}>
      <button type="button" class="quiet" title={texts.card.copyTitle} disabled={waits} onClick={copy}>
        {texts.card.copy}
      </button>
      <SavePicture drawing={drawing} what={texts.card.what(name)} fileName={`${name}-card`} waits={waits} isDark={isDark} scale={1} />
      <span role="status">{said}</span>
    </div>
  );
}
