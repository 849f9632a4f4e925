// What a configuration comes from: a published model, a model type, somebody's file.

import type { Count } from '../types/index.ts';

/** One published model, as `web/data/models.json` has it. */
export interface Published {
  /** On the Hugging Face Hub. */
  readonly id: string;
  readonly name: string;
  /** Other names that the same model goes by. */
  readonly aliases?: readonly string[];
  readonly config: object;
  /** The paths in `config` of whole numbers that are written as floats, such as 7.0. */
  readonly floats?: readonly string[];
  /** The model's parameters: as published, or what remains of `stored` without what stands in `beyond`. */
  readonly parameters: Count;
  /** Elements of the published files, where these hold more than the model. */
  readonly stored?: Count;
  /** What the published files hold beyond the parameters. */
  readonly beyond?: Readonly<Record<string, Count>>;
  /** Where config and count come from. */
  readonly source: string;
  /** When they were recorded, as `2026-11-21`. */
  readonly recorded: string;
}

/** What a config.json was made from: a published model, or a model type with its defaults. */
export interface Base {
  readonly kind: 'model' | 'type';
  readonly id: string;
  readonly name: string;
  /** Its config.json. */
  readonly text: string;
  /** What is known of it from elsewhere. */
  readonly published?: Published;
}

/** A configuration and where it comes from. */
export interface Entry {
  readonly text: string;
  /** The published model or model type that it was made from. */
  readonly base?: Base;
  /** The name of a file that it was read from. */
  readonly title?: string;
  /** Where its text is from, in words. */
  readonly from?: string;
  /** The published model that it turned out to be, and the text that did. */
  readonly known?: { readonly base: Base; readonly text: string };
}
