// Buttons that save a picture as SVG or as PNG. By default the PNG has twice the picture's size. The code that writes the files is loaded
// on demand.

import type { Drawing } from '../drawings/drawing.ts';
import * as texts from '../texts/page.ts';
import { SaveButton } from './buttons.tsx';

interface SavePictureProps {
  readonly drawing: () => Drawing | Promise<Drawing>;
  /** The name of the picture, for the titles of the buttons. Screen reader users cannot see which picture a button belongs to. */
  readonly what: string;
  readonly fileName: string;
  /** Whether the drawing is outdated because the current text is refused. */
  readonly waits?: boolean;
  /** Whether to use dark colours instead of light ones. */
  readonly isDark?: () => boolean;
  /** The scale of the PNG. */
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
