// Saves a picture as SVG, or as PNG at twice its size. The code that writes them is loaded on demand.

import type { Drawing } from '../drawings/drawing.ts';
import * as texts from '../texts/page.ts';
import { SaveButton } from './buttons.tsx';

interface SavePictureProps {
  readonly drawing: () => Drawing | Promise<Drawing>;
  /** The picture's name, for those who cannot see what the buttons belong to. */
  readonly what: string;
  readonly fileName: string;
  /** Set if the drawing is not for the current text. */
  readonly waits?: boolean;
  /** Whether it is drawn in dark colours instead of light ones. */
  readonly isDark?: () => boolean;
  /** The PNG's scale. */
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
