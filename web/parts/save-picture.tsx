// A picture as a file: SVG, and PNG in twice its size. What writes them is loaded when it is wanted.

import type { Drawing } from '../drawings/drawing.ts';
import * as texts from '../texts/page.ts';
import { SaveButton } from './buttons.tsx';

interface SavePictureProps {
  readonly drawing: () => Drawing | Promise<Drawing>;
  /** What it shows, for those who cannot see what the buttons stand beside. */
  readonly what: string;
  readonly fileName: string;
  /** Where what is drawn is not the answer to what is entered. */
  readonly waits?: boolean;
  /** Whether it is drawn in dark colours; light ones else. */
  readonly isDark?: () => boolean;
  /** Of the PNG. */
  readonly scale?: number;
}

export function SavePicture({ drawing, what, fileName, waits = false, isDark = () => false, scale }: SavePictureProps) {
  const title = (format: string) => (waits ? texts.total.wait : texts.picture.save(what, format));
  const written = async () => {
    const { COLOURS, DARK, formatSvg } = await import('../drawings/svg.ts');
    return formatSvg(await drawing(), isDark() ? DARK : COLOURS);
  };
  const name = (ending: string) => () => `${fileName.replace(/[^\w.-]+/g, '-')}.${ending}`;
  return (
    <span class="export">
      <SaveButton label="SVG" title={title('SVG')} disabled={waits} type="image/svg+xml" fileName={name('svg')} content={written} />
      <SaveButton
        label="PNG"
        title={title('PNG')}
        disabled={waits}
        type="image/png"
        fileName={name('png')}
        content={async () => (await import('./png.ts')).png(await written(), scale)}
      />
    </span>
  );
}
