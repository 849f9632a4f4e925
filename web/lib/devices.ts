// Devices that people run models on: the memory of one, in bytes as its maker states it (GB are 1,000,000,000 bytes there).

export interface Device {
  readonly id: string;
  readonly name: string;
  /** Bytes of one. */
  readonly bytes: string;
  /** Where the maker says so. */
  readonly source: string;
}

const gb = (n: number) => `${n}000000000`;

// prettier-ignore
export const devices: readonly Device[] = [
  { id: 'h200', name: 'NVIDIA H200, 141 GB', bytes: gb(141), source: 'https://www.nvidia.com/en-us/data-center/h200/' },
  { id: 'h100', name: 'NVIDIA H100, 80 GB', bytes: gb(80), source: 'https://www.nvidia.com/en-us/data-center/h100/' },
  { id: 'a100', name: 'NVIDIA A100, 80 GB', bytes: gb(80), source: 'https://www.nvidia.com/en-us/data-center/a100/' },
  { id: 'b200', name: 'NVIDIA B200, 180 GB', bytes: gb(180), source: 'https://www.nvidia.com/en-us/data-center/dgx-b200/' },
  { id: 'l40s', name: 'NVIDIA L40S, 48 GB', bytes: gb(48), source: 'https://www.nvidia.com/en-us/data-center/l40s/' },
  { id: 'rtx5090', name: 'GeForce RTX 5090, 32 GB', bytes: gb(32), source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/50-series/rtx-5090/' },
  { id: 'rtx4090', name: 'GeForce RTX 4090, 24 GB', bytes: gb(24), source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4090/' },
  { id: 'mi300x', name: 'AMD Instinct MI300X, 192 GB', bytes: gb(192), source: 'https://www.amd.com/en/products/accelerators/instinct/mi300/mi300x.html' },
];

/** Whole GB that a reader types, as bytes; undefined for anything else. */
export const bytesOfGb = (typed: string): string | undefined =>
  /^[1-9]\d{0,6}$/.test(typed.trim()) ? `${typed.trim()}000000000` : undefined;
