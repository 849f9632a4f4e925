// Reads the headers of a model's files on the Hub with range requests, after config.json and the list of files. The headers describe the
// published tensors without their values.
// Requests are made only when the user asks for them, without cookies and without a token.

import * as texts from './hub-files-texts.ts';
import type { ByteSource, InputFile, Ledger, Reading } from '../types/index.ts';
import { readWantedBytes } from '../core/wanted-bytes.ts';
import { fileAddress, HUB, listAddress, type HubPlace } from './address.ts';
import { requestHub } from './request.ts';
import { changed, stopped } from './request-texts.ts';

export interface HubAsking {
  readonly signal?: AbortSignal;
  /** Called with the progress whenever bytes have arrived or a file is done. */
  readonly progress?: (now: HubProgress) => void;
  /** The host to use instead of the Hub. */
  readonly host?: string;
  /** The configuration to check against; by default the model's own config.json. */
  readonly config?: string;
}

export interface HubProgress {
  readonly files: number;
  readonly of: number;
  readonly bytes: number;
}

/** The files of a model that were read, and the result. */
export interface HubVerified {
  readonly place: HubPlace;
  /** The commit that the files belong to, if the Hub names it. */
  readonly commit?: string;
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** The number of bytes read. */
  readonly bytes: number;
  readonly reading: Reading;
}

interface Listed {
  readonly type: string;
  readonly path: string;
  readonly size: number;
}

/** The number of files that are read in parallel. */
const AT_A_TIME = 4;
/**
 * The largest config.json and the largest index in bytes, and the largest number of pages that are read of a list of files. MOST_INDEX also
 * limits how much is read from a host that does not support ranges.
 */
const [MOST_CONFIG, MOST_INDEX, MOST_PAGES] = [1_000_000, 64_000_000, 20];
const INDICES = ['model.safetensors.index.json', 'pytorch_model.bin.index.json'];
const SHARD = /^(.*)-\d{5}-of-(\d{5}\.\w+)$/;

/**
 * Reads a model's files and, if there is a configuration, compares them with it. Throws an Error whose message can be shown to the user.
 */
export async function verifyOnHub(ledger: Pick<Ledger, 'wants' | 'read'>, place: HubPlace, asking: HubAsking): Promise<HubVerified> {
  const hub = new Hub(place, asking);
  const { folder, listed } = await hub.listing();
  const inFolder = (name: string) => (folder ? `${folder}/${name}` : name);
  const find = (name: string) => listed.find(({ path }) => path === inFolder(name));
  const own = hub.named(listed);
  const indexName = own ? undefined : INDICES.find(find);
  const index = indexName === undefined ? undefined : await hub.text(find(indexName) as Listed, MOST_INDEX);
  const weights = index === undefined ? chooseFiles(listed, own, place) : filesOfIndex(index, listed, inFolder);
  const configFile = find('config.json');
  const config = asking.config ?? (configFile && (await hub.text(configFile, MOST_CONFIG)));
  const heads = await hub.heads(ledger, weights);
  const files: InputFile[] = [...(index === undefined ? [] : [{ name: indexName, content: index }]), ...heads];
  return {
    place,
    ...(hub.commit !== undefined && { commit: hub.commit }),
    files: weights.map(({ path, size }) => ({ name: path, size })),
    bytes: hub.bytes,
    reading: ledger.read(files, config === undefined ? {} : { config }),
  };
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The files that an index names, as far as they exist. Throws if there are none. The core reports the tensors of missing files. */
function filesOfIndex(index: string, listed: readonly Listed[], inFolder: (name: string) => string): readonly Listed[] {
  let names: unknown[];
  try {
    names = Object.values((JSON.parse(index) as { weight_map?: object }).weight_map ?? {});
  } catch (error) {
    throw new Error(texts.index, { cause: error });
  }
  const wanted = new Set(names.map((name) => inFolder(String(name))));
  const out = listed.filter(({ path }) => wanted.has(path));
  if (out.length === 0) throw new Error(texts.index);
  return out;
}

/**
 * The files of one model: the named file and the other shards of its set. Without a named file, those of the first format that has any: the
 * file with the usual name, or else all of them. Throws if there are none, or if they may belong to several models.
 */
function chooseFiles(listed: readonly Listed[], own: Listed | undefined, { id }: HubPlace): readonly Listed[] {
  const together = (file: Listed) => {
    const [, begin, end] = SHARD.exec(file.path) ?? [];
    return begin === undefined
      ? [file]
      : listed.filter(({ path }) => {
          const [, b, e] = SHARD.exec(path) ?? [];
          return b === begin && e === end;
        });
  };
  if (own) return together(own);
  for (const [usual, ending] of [
    ['model.safetensors', '.safetensors'],
    ['pytorch_model.bin', '.bin'],
    ['', '.pth'],
    ['', '.gguf'],
  ]) {
    const all = listed.filter(({ path }) => path.endsWith(ending) && !/(^|\/)(training_args|optimizer|scheduler|rng_state)/.test(path));
    if (all.length === 0) continue;
    const [first] = all;
    const one = all.find(({ path }) => baseName(path) === usual);
    if (one) return [one];
    if (together(first).length === all.length) return all;
    throw new Error(texts.several(id, all.map(({ path }) => path))); // prettier-ignore
  }
  throw new Error(texts.none(id));
}

/** Makes the requests to the Hub for one model. */
class Hub {
  bytes = 0;
  commit: string | undefined;
  private readonly host: string;
  private done = 0;
  private all = 0;
  private readonly place: HubPlace;
  private readonly asking: HubAsking;

  constructor(place: HubPlace, asking: HubAsking) {
    this.place = place;
    this.asking = asking;
    this.host = (asking.host ?? HUB).replace(/\/+$/, '');
  }

  /** Lists the files in the folder that the address names, or in the folder of the file that it names. Reads at most MOST_PAGES pages. */
  async listing(): Promise<{ readonly folder: string; readonly listed: readonly Listed[] }> {
    const { path } = this.place;
    const isFile = /\.(safetensors|gguf|bin|pt|pth|ckpt|npz)$/.test(path);
    const folder = isFile ? path.slice(0, Math.max(path.lastIndexOf('/'), 0)) : path;
    const listed: Listed[] = [];
    let next: string | undefined = listAddress(this.host, this.place, folder);
    for (let page = 0; next !== undefined && page < MOST_PAGES; ++page) {
      const response = await this.ask(next, {});
      const rows = (await response.json().catch(() => undefined)) as unknown;
      if (!Array.isArray(rows)) throw new Error(texts.strange);
      listed.push(
        ...(rows as Listed[]).filter(
          ({ type, path: one, size }) => type === 'file' && typeof one === 'string' && Number.isSafeInteger(size),
        ),
      );
      const [, link] = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
      // The link to the next page is followed only on the same host.
      next = link !== undefined && new URL(link, this.host).origin === new URL(this.host).origin ? link : undefined;
    }
    return { folder, listed };
  }

  /** Finds the file that the address names. Throws if its path has a file extension, and there is neither such a file nor such a folder. */
  named(listed: readonly Listed[]): Listed | undefined {
    const own = listed.find(({ path }) => path === this.place.path);
    if (!own && /\.\w+$/.test(baseName(this.place.path)) && listed.every(({ path }) => !path.startsWith(`${this.place.path}/`)))
      throw new Error(texts.noFile(this.place.id, this.place.path));
    return own;
  }

  /** Reads all of a text file. Throws if it has more than `most` bytes. */
  async text({ path, size }: Listed, most: number): Promise<string> {
    if (size > most) throw new Error(texts.tooLarge(path));
    return new TextDecoder().decode(await this.range(path, size, 0, size));
  }

  async heads(ledger: Pick<Ledger, 'wants'>, files: readonly Listed[]): Promise<readonly InputFile[]> {
    const out: InputFile[] = [];
    const left = files.map((file, i) => ({ file, i }));
    this.all = files.length;
    this.tell();
    const worker = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { path, size } = next.file;
        const source: ByteSource = { name: baseName(path), size, read: (begin, end) => this.range(path, size, begin, end) };
        out[next.i] = await readWantedBytes(ledger, source).catch((error: unknown) => {
          throw error instanceof RangeError ? new Error(texts.tooLarge(path), { cause: error }) : error;
        });
        ++this.done;
        this.tell();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    return out;
  }

  private tell() {
    this.asking.progress?.({ files: this.done, of: this.all, bytes: this.bytes });
  }

  /** Reads a range of a file of known size. Stops if the host sends more than was requested. */
  private async range(path: string, size: number, begin: number, end: number): Promise<Uint8Array> {
    const wanted = end - begin;
    if (wanted === 0) return new Uint8Array(0);
    const response = await this.ask(fileAddress(this.host, this.place, path), { range: `bytes=${begin}-${end - 1}` });
    this.commit ??= response.headers.get('x-repo-commit') ?? undefined;
    const [, from, all] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
    if (response.status === 206 && from !== undefined && (Number(from) !== begin || Number(all) !== size)) throw new Error(changed(path));
    // A host that does not support ranges sends the whole file, which is then read up to the end of the range, if that is not too far.
    const before = response.status === 206 ? 0 : begin;
    const out = new Uint8Array(before + wanted);
    if (out.length > MOST_INDEX && before > 0) {
      void response.body?.cancel();
      throw new Error(texts.noRanges);
    }
    const reader = response.body?.getReader();
    let here = 0;
    while (reader && here < out.length) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw this.asking.signal?.aborted ? new Error(stopped) : new Error(texts.brokenOff, { cause: error });
      });
      if (done) break;
      out.set(value.subarray(0, out.length - here), here);
      here += value.length;
      this.bytes += value.length;
      this.tell();
    }
    void reader?.cancel().catch(() => undefined);
    if (here < out.length) throw new Error(texts.brokenOff);
    return out.subarray(before);
  }

  private ask(address: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const { id, path } = this.place;
    const failures = {
      gated: texts.gated,
      noFile: texts.noFile(id, path),
      unreachable: () => texts.unreachable(new URL(this.host).host),
    };
    return requestHub(address, { place: this.place, texts: failures, headers, signal: this.asking.signal });
  }
}
