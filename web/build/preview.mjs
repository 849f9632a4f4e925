// The picture that messengers and networks show beside a link to the page: the first model's number and its parts, as a PNG made without
// anything that draws. Digits are strokes, smoothed by how much of a pixel lies within them.

import { deflateSync } from 'node:zlib';

const [WIDTH, HEIGHT] = [1200, 630];

/** Strokes of each character in a box of 4 by 6, as polylines. @type {Record<string, number[][]>} */
const STROKES = {
  0: [[0, 1, 1, 0, 3, 0, 4, 1, 4, 5, 3, 6, 1, 6, 0, 5, 0, 1]],
  1: [
    [0.8, 1.2, 2.2, 0, 2.2, 6],
    [0.8, 6, 3.6, 6],
  ],
  2: [[0, 1, 1, 0, 3, 0, 4, 1, 4, 2.2, 0, 6, 4, 6]],
  3: [
    [0, 0.6, 1, 0, 3, 0, 4, 1, 4, 2, 3, 2.9, 1.6, 2.9],
    [3, 2.9, 4, 3.9, 4, 5, 3, 6, 1, 6, 0, 5.4],
  ],
  4: [[3, 6, 3, 0, 0, 4.2, 4, 4.2]],
  5: [[3.8, 0, 0.4, 0, 0.2, 2.6, 1.2, 2.2, 3, 2.2, 4, 3.2, 4, 5, 3, 6, 1, 6, 0, 5.2]],
  6: [[3.6, 0.2, 2.6, 0, 1, 0.4, 0, 2.6, 0, 5, 1, 6, 3, 6, 4, 5, 4, 3.6, 3, 2.7, 1, 2.7, 0, 3.6]],
  7: [[0, 0, 4, 0, 1.4, 6]],
  8: [
    [1, 0, 3, 0, 4, 0.9, 4, 2, 3, 2.9, 1, 2.9, 0, 2, 0, 0.9, 1, 0],
    [1, 2.9, 0, 3.8, 0, 5.1, 1, 6, 3, 6, 4, 5.1, 4, 3.8, 3, 2.9],
  ],
  9: [[4, 2.4, 3, 3.3, 1, 3.3, 0, 2.4, 0, 1, 1, 0, 3, 0, 4, 1, 4, 3.4, 3, 5.6, 1.4, 6, 0.4, 5.8]],
  ',': [[0.4, 5.6, 0.5, 6.1, 0, 7.1]],
};
const ADVANCE = 5.6;

/** @typedef {{ part: string, share: number }} Share */

/**
 * @param {string} number as it is shown
 * @param {readonly Share[]} shares of the parts, which add up to 1
 * @param {Readonly<Record<string, string>>} colours by name, as `#rrggbb`
 */
export function preview(number, shares, colours) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  const rgb = (/** @type {string} */ colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  /** @param {number} x @param {number} y @param {number[]} colour @param {number} cover */
  const blend = (x, y, colour, cover) => {
    if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT || cover <= 0) return;
    const at = (y * WIDTH + x) * 3;
    for (let i = 0; i < 3; i++) pixels[at + i] = Math.round(pixels[at + i] * (1 - cover) + colour[i] * cover);
  };
  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} colour */
  const box = (x, y, width, height, colour) => {
    const own = rgb(colour);
    for (let row = y; row < y + height; row++)
      for (let column = Math.round(x); column < Math.round(x + width); column++) blend(column, row, own, 1);
  };
  /** @param {number[]} line @param {number} half its width @param {string} colour */
  const stroke = (line, half, colour) => {
    const own = rgb(colour);
    const [xs, ys] = [line.filter((_, i) => i % 2 === 0), line.filter((_, i) => i % 2 === 1)];
    for (let y = Math.floor(Math.min(...ys) - half - 1); y <= Math.max(...ys) + half + 1; y++) {
      for (let x = Math.floor(Math.min(...xs) - half - 1); x <= Math.max(...xs) + half + 1; x++) {
        blend(x, y, own, Math.min(1, half + 0.5 - distance(x, y, line)));
      }
    }
  };

  box(0, 0, WIDTH, HEIGHT, colours.paper);
  const width = [...number].reduce((sum, character) => sum + (character === ',' ? 2.2 : ADVANCE), -1.6);
  const unit = Math.min(17, (WIDTH - 160) / width);
  let x = 80;
  for (const character of number) {
    for (const line of STROKES[character] ?? []) {
      stroke(
        line.map((length, i) => (i % 2 === 0 ? x : 150) + length * unit),
        unit * 0.42,
        colours.ink,
      );
    }
    x += (character === ',' ? 2.2 : ADVANCE) * unit;
  }
  // The double rule under the total.
  const under = Math.round(150 + 8.2 * unit);
  for (const y of [under, under + 10]) box(80, y, width * unit, 4, colours.ink);
  let left = 80;
  for (const { part, share } of shares) {
    const own = share * (WIDTH - 160);
    box(left, 400, Math.max(2, own - 4), 120, colours[`part-${part}`] ?? colours['part-other']);
    left += own;
  }
  return png(pixels);
}

/** From a point to a polyline. @param {number} x @param {number} y @param {number[]} line */
function distance(x, y, line) {
  let least = Infinity;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [ax, ay, bx, by] = line.slice(i, i + 4);
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
  }
  return least;
}

/** @param {Buffer} pixels */
function png(pixels) {
  const rows = Buffer.alloc(HEIGHT * (WIDTH * 3 + 1));
  for (let y = 0; y < HEIGHT; y++) pixels.copy(rows, y * (WIDTH * 3 + 1) + 1, y * WIDTH * 3, (y + 1) * WIDTH * 3);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 2], 8); // eight bits each of red, green, blue
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

/** As PNG wants it; Node's own is newer than 18. @param {Buffer} bytes */
function crc(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let i = 0; i < 8; i++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
