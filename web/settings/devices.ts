// Common devices for running models, each with its memory in GB as its maker states it, and the maker's document. Documents are cited by
// name, because makers change their URLs, and a wrong link is worse than none.

export interface Device {
  readonly id: string;
  readonly name: string;
  /** The memory of one device in GB. */
  readonly gb: string;
  /** The maker's document that states the memory. */
  readonly document: string;
}

// prettier-ignore
export const devices: readonly Device[] = [
  { id: 'rtx4060', name: 'GeForce RTX 4060', gb: '8', document: 'NVIDIA, GeForce RTX 4060 family, specifications' },
  { id: 'rtx3060', name: 'GeForce RTX 3060', gb: '12', document: 'NVIDIA, GeForce RTX 3060 family, specifications' },
  { id: 'rtx4070', name: 'GeForce RTX 4070', gb: '12', document: 'NVIDIA, GeForce RTX 4070 family, specifications' },
  { id: 'rtx4080', name: 'GeForce RTX 4080', gb: '16', document: 'NVIDIA, GeForce RTX 4080 family, specifications' },
  { id: 'rtx5080', name: 'GeForce RTX 5080', gb: '16', document: 'NVIDIA, GeForce RTX 5080, specifications' },
  { id: 'rtx3090', name: 'GeForce RTX 3090', gb: '24', document: 'NVIDIA, GeForce RTX 3090 family, specifications' },
  { id: 'rtx4090', name: 'GeForce RTX 4090', gb: '24', document: 'NVIDIA, GeForce RTX 4090, specifications' },
  { id: 'rtx5090', name: 'GeForce RTX 5090', gb: '32', document: 'NVIDIA, GeForce RTX 5090, specifications' },
  { id: 't4', name: 'NVIDIA T4', gb: '16', document: 'NVIDIA T4, data sheet' },
  { id: 'l4', name: 'NVIDIA L4', gb: '24', document: 'NVIDIA L4, data sheet' },
  { id: 'a10', name: 'NVIDIA A10', gb: '24', document: 'NVIDIA A10, data sheet' },
  { id: 'l40s', name: 'NVIDIA L40S', gb: '48', document: 'NVIDIA L40S, data sheet' },
  { id: 'rtxpro6000', name: 'NVIDIA RTX PRO 6000', gb: '96', document: 'NVIDIA RTX PRO 6000 Blackwell, data sheet' },
  { id: 'a100', name: 'NVIDIA A100', gb: '80', document: 'NVIDIA A100 80 GB, data sheet' },
  { id: 'h100', name: 'NVIDIA H100', gb: '80', document: 'NVIDIA H100, data sheet' },
  { id: 'h200', name: 'NVIDIA H200', gb: '141', document: 'NVIDIA H200, data sheet' },
  { id: 'b200', name: 'NVIDIA B200', gb: '180', document: 'NVIDIA DGX B200, data sheet: eight of them have 1,440 GB' },
  { id: 'rx7900xtx', name: 'Radeon RX 7900 XTX', gb: '24', document: 'AMD, Radeon RX 7900 XTX, specifications' },
  { id: 'mi300x', name: 'AMD Instinct MI300X', gb: '192', document: 'AMD Instinct MI300X, data sheet' },
  { id: 'mi325x', name: 'AMD Instinct MI325X', gb: '256', document: 'AMD Instinct MI325X, data sheet' },
  { id: 'm4-16', name: 'Apple M4 (shared memory)', gb: '16', document: 'Apple, MacBook Air (M4), technical specifications' },
  { id: 'm4pro-48', name: 'Apple M4 Pro (shared memory)', gb: '48', document: 'Apple, Mac mini (M4 Pro), technical specifications' },
  { id: 'm4max-128', name: 'Apple M4 Max (shared memory)', gb: '128', document: 'Apple, Mac Studio (M4 Max), technical specifications' },
  { id: 'm3ultra-512', name: 'Apple M3 Ultra (shared memory)', gb: '512', document: 'Apple, Mac Studio (M3 Ultra), technical specifications' },
];

/** Common configurations, each with a device and the number of such devices, in order of total memory. */
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

/**
 * The smallest common configuration with enough memory for this many bytes while `reserve` per cent of it stay free. If none is large
 * enough, the largest.
 */
export function findUsualDevice(bytes: string, reserve: string): { readonly device: string; readonly devices: string } {
  const wanted = BigInt(bytes);
  const gb = (id: string) => BigInt(keepFree(gbToBytes(devices.find((device) => device.id === id)?.gb ?? ''), reserve) ?? 0);
  const [device, count] = USUAL.find(([id, n]) => gb(id) * BigInt(n) >= wanted) ?? USUAL[USUAL.length - 1];
  return { device, devices: count };
}

/** The memory in bytes that can be used if `reserve` per cent of it stay free, rounded down. */
export const keepFree = (bytes: string | undefined, reserve: string): string | undefined =>
  bytes && String((BigInt(bytes) * (100n - BigInt(reserve))) / 100n);

/** Converts GB to bytes. Undefined unless the text is a positive integer of at most seven digits without leading zeros. */
export const gbToBytes = (typed: string): string | undefined =>
  /^[1-9]\d{0,6}$/.test(typed.trim()) ? `${typed.trim()}000000000` : undefined;
