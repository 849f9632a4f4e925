// Converts a picture from SVG to PNG.

/** Draws an SVG in the browser at a scale, and returns the PNG; undefined if it cannot be encoded. Rejects if the SVG is invalid. */
export async function png(source: string, scale = 2): Promise<Blob | undefined> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`; // a data URL, because the page's CSP does not allow blob: images
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}
