// Where a configuration comes from: a published model, a model type, or a reader's file.

import type { Count } from '../types/index.ts';

/** One published model of `web/data/models.json`. */
export interface Published {
  /** Its name on the Hugging Face Hub. */
  readonly id: string;
  readonly name: string;
  /** Other names of the same model. */
  readonly aliases?: readonly string[];
  readonly config: object;
  /** The model's parameters, as published or as `stored` minus all of `beyond`. */
  readonly parameters: Count;
  /** Elements of the published files, if they hold more than the model. */
  readonly stored?: Count;
  /** What the published files hold in addition to the parameters. */
  readonly beyond?: Readonly<Record<string, Count>>;
  /** The source of the configuration and the count. */
  readonly source: string;
  /** The date on which they were recorded, as `2026-11-21`. */
  readonly recorded: string;
}

/** The configuration that an entry began as: a published model, or a model type with its defaults. */
export interface Base {
  readonly kind: 'model' | 'type';
  readonly id: string;
  readonly name: string;
  /** Its config.json. */
  readonly text: string;
  /** Its published counts. */
  readonly published?: Published;
}

/** A configuration and its source. */
export interface Entry {
  readonly text: string;
  /** The published model or model type that it began as. */
  readonly base?: Base;
  /** The name of the file that it was read from. */
  readonly title?: string;
  /** The source of its text, in words. */
  readonly from?: string;
  /** The published model whose configuration it equals, and the text that equals it. */
  readonly known?: { readonly base: Base; readonly text: string };
}
