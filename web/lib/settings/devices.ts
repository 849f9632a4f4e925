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
  { id: 'h200', name: 'NVIDIA H200', gb: '141', source: 'https://www.nvidia.com/en-us/data-center/h200/' },
  { id: 'h100', name: 'NVIDIA H100', gb: '80', source: 'https://www.nvidia.com/en-us/data-center/h100/' },
  { id: 'a100', name: 'NVIDIA A100', gb: '80', source: 'https://www.nvidia.com/en-us/data-center/a100/' },
  { id: 'b200', name: 'NVIDIA B200', gb: '180', source: 'https://www.nvidia.com/en-us/data-center/dgx-b200/' },
  { id: 'rtxpro6000', name: 'NVIDIA RTX PRO 6000', gb: '96', source: 'https://www.nvidia.com/en-us/products/workstations/professional-desktop-gpus/rtx-pro-6000/' },
  { id: 'l40s', name: 'NVIDIA L40S', gb: '48', source: 'https://www.nvidia.com/en-us/data-center/l40s/' },
  { id: 'rtx5090', name: 'GeForce RTX 5090', gb: '32', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/50-series/rtx-5090/' },
  { id: 'rtx4090', name: 'GeForce RTX 4090', gb: '24', source: 'https://www.nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4090/' },
  { id: 'mi300x', name: 'AMD Instinct MI300X', gb: '192', source: 'https://www.amd.com/en/products/accelerators/instinct/mi300/mi300x.html' },
  { id: 'mi325x', name: 'AMD Instinct MI325X', gb: '256', source: 'https://www.amd.com/en/products/accelerators/instinct/mi300/mi325x.html' },
];

/** Whole GB that a reader types, as bytes; undefined for anything else. */
export const bytesOfGb = (typed: string): string | undefined =>
  /^[1-9]\d{0,6}$/.test(typed.trim()) ? `${typed.trim()}000000000` : undefined;
