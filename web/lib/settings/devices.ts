// Devices that people run models on, with the memory of one as its maker states it, in GB, and where.

export interface Device {
  readonly id: string;
  readonly name: string;
  /** GB of one. */
  readonly gb: string;
  /** Where the maker says so. */
  readonly source: string;
}

// prettier-ignore
export const devices: readonly Device[] = [
  { id: 'rtx4060', name: 'GeForce RTX 4060', gb: '8', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4060-4060ti/' },
  { id: 'rtx3060', name: 'GeForce RTX 3060', gb: '12', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/30-series/rtx-3060-3060ti/' },
  { id: 'rtx4070', name: 'GeForce RTX 4070', gb: '12', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4070-family/' },
  { id: 'rtx4080', name: 'GeForce RTX 4080', gb: '16', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4080-family/' },
  { id: 'rtx5080', name: 'GeForce RTX 5080', gb: '16', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/50-series/rtx-5080/' },
  { id: 'rtx3090', name: 'GeForce RTX 3090', gb: '24', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/30-series/rtx-3090-3090ti/' },
  { id: 'rtx4090', name: 'GeForce RTX 4090', gb: '24', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4090/' },
  { id: 'rtx5090', name: 'GeForce RTX 5090', gb: '32', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/50-series/rtx-5090/' },
  { id: 't4', name: 'NVIDIA T4', gb: '16', source: 'https://www.nvidia.com/en-us/data-center/tesla-t4/' },
  { id: 'l4', name: 'NVIDIA L4', gb: '24', source: 'https://www.nvidia.com/en-us/data-center/l4/' },
  { id: 'a10', name: 'NVIDIA A10', gb: '24', source: 'https://www.nvidia.com/en-us/data-center/products/a10-gpu/' },
  { id: 'l40s', name: 'NVIDIA L40S', gb: '48', source: 'https://www.nvidia.com/en-us/data-center/l40s/' },
  { id: 'rtxpro6000', name: 'NVIDIA RTX PRO 6000', gb: '96', source: 'https://www.nvidia.com/en-us/products/workstations/professional-desktop-gpus/rtx-pro-6000/' },
  { id: 'a100', name: 'NVIDIA A100', gb: '80', source: 'https://www.nvidia.com/en-us/data-center/a100/' },
  { id: 'h100', name: 'NVIDIA H100', gb: '80', source: 'https://www.nvidia.com/en-us/data-center/h100/' },
  { id: 'h200', name: 'NVIDIA H200', gb: '141', source: 'https://www.nvidia.com/en-us/data-center/h200/' },
  { id: 'b200', name: 'NVIDIA B200', gb: '180', source: 'https://www.nvidia.com/en-us/data-center/dgx-b200/' },
  { id: 'rx7900xtx', name: 'Radeon RX 7900 XTX', gb: '24', source: 'https://www.amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7900xtx.html' },
  { id: 'mi300x', name: 'AMD Instinct MI300X', gb: '192', source: 'https://www.amd.com/en/products/accelerators/instinct/mi300/mi300x.html' },
  { id: 'mi325x', name: 'AMD Instinct MI325X', gb: '256', source: 'https://www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html' },
  { id: 'm4-16', name: 'Apple M4 (shared memory)', gb: '16', source: 'https://www.apple.com/macbook-air/specs/' },
  { id: 'm4pro-48', name: 'Apple M4 Pro (shared memory)', gb: '48', source: 'https://www.apple.com/mac-mini/specs/' },
  { id: 'm4max-128', name: 'Apple M4 Max (shared memory)', gb: '128', source: 'https://www.apple.com/mac-studio/specs/' },
  { id: 'm3ultra-512', name: 'Apple M3 Ultra (shared memory)', gb: '512', source: 'https://www.apple.com/mac-studio/specs/' },
];

/** What people take first, the smallest first: which device, and how many. */
const USUAL: readonly (readonly [device: string, count: string])[] = [
  ['rtx4060', '1'],
  ['rtx3060', '1'],
  ['rtx4080', '1'],
  ['rtx4090', '1'],
  ['rtx5090', '1'],
  ['l40s', '1'],
  ['h100', '1'],
  ['h200', '1'],
  ['h100', '2'],
  ['h200', '2'],
  ['h100', '4'],
  ['h200', '4'],
  ['h100', '8'],
  ['h200', '8'],
  ['h200', '16'],
  ['h200', '32'],
];

/** The smallest usual devices that hold so many bytes and a tenth more, for activations and the program; the largest where none do. */
export function usualFor(bytes: string): { readonly device: string; readonly devices: string } {
  const wanted = (BigInt(bytes) * 11n) / 10n;
  const gb = (id: string) => BigInt(bytesOfGb(devices.find((device) => device.id === id)?.gb ?? '') ?? 0);
  const [device, count] = USUAL.find(([id, n]) => gb(id) * BigInt(n) >= wanted) ?? USUAL[USUAL.length - 1];
  return { device, devices: count };
}

/** Whole GB that a reader types, as bytes; undefined for anything else. */
export const bytesOfGb = (typed: string): string | undefined =>
  /^[1-9]\d{0,6}$/.test(typed.trim()) ? `${typed.trim()}000000000` : undefined;
