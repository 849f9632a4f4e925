// Offers to load a config.json from the Hub, shows the progress, and explains a failure. The offline file cannot load anything, so it
// explains how to do this by hand.

import { fetchConfig } from '#hub-config';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { configAddress, type HubOffer } from '../hub/address.ts';
import * as hubTexts from '../hub/hub-texts.ts';

interface HubProps {
  readonly wish: HubOffer;
  /** Called when the configuration has arrived. */
  readonly open: (text: string, id: string, from: string) => void;
  readonly close: () => void;
}

type Phase =
  { readonly is: 'offered' } | { readonly is: 'loading'; readonly bytes: number } | { readonly is: 'failed'; readonly why: string };

export function FromHub({ wish, open, close }: HubProps) {
  const { id } = wish;
  const [phase, setPhase] = useState<Phase>({ is: 'offered' });
  const running = useRef<AbortController | undefined>(undefined);
  const first = useRef<HTMLButtonElement>(null);

  const load = async () => {
    if (!fetchConfig) return;
    const mine = (running.current = new AbortController());
    const current = (next: Phase) => running.current === mine && !mine.signal.aborted && setPhase(next);
    current({ is: 'loading', bytes: 0 });
    try {
      const text = await fetchConfig(id, { signal: mine.signal, progress: (bytes) => current({ is: 'loading', bytes }) });
      if (mine.signal.aborted) return;
      if (text.trimStart().startsWith('{')) open(text, id, hubTexts.from);
      else current({ is: 'failed', why: hubTexts.noModel(id, '') });
    } catch (error) {
      current({ is: 'failed', why: (error as Error).message });
    }
  };
  const cancel = () => {
    running.current?.abort();
    setPhase({ is: 'failed', why: hubTexts.cancelled(id) });
  };
  useEffect(() => {
    setPhase({ is: 'offered' });
    if (wish.asked) void load();
    return () => running.current?.abort();
  }, [wish]);
  // The focus moves to the button of the new phase, because a button that was pressed has disappeared.
  useEffect(() => {
    if (phase.is !== 'offered') first.current?.focus({ preventScroll: true });
  }, [phase.is]);

  if (!fetchConfig) {
    return (
      <Banner said={hubTexts.byHand(id)} close={close}>
        <a href={configAddress(id)} rel="noreferrer">
          {configAddress(id)}
        </a>
        : {hubTexts.byHandThen}
      </Banner>
    );
  }
  switch (phase.is) {
    case 'offered':
      return (
        <Banner said={hubTexts.offer(id)} close={close}>
          <button type="button" title={hubTexts.loadWhy} onClick={() => void load()}>
            {hubTexts.load}
          </button>
        </Banner>
      );
    case 'loading':
      return (
        <Banner said={hubTexts.loading(id, phase.bytes)}>
          <progress aria-label={hubTexts.loadOf(id)} />
          <button type="button" ref={first} onClick={cancel}>
            {hubTexts.cancel}
          </button>
        </Banner>
      );
    case 'failed':
      return (
        <Banner said={phase.why} close={close}>
          <button type="button" ref={first} onClick={() => void load()}>
            {hubTexts.again}
          </button>
        </Banner>
      );
  }
}

interface BannerProps {
  readonly said: string;
  readonly close?: () => void;
  readonly children: ComponentChildren;
}

const Banner = ({ said, close, children }: BannerProps) => (
  <div class="banner hub">
    <span role="status">{said}</span> {children}
    {close && (
      <button type="button" class="quiet" onClick={close}>
        {hubTexts.close}
      </button>
    )}
  </div>
);
