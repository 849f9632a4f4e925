// Configurations and where they come from: a published model, a model type, or the user's own text or file.

import type { Count } from '../types/index.ts';

/** One published model of `web/data/models.json`. */
export interface Published {
  /** The id on the Hugging Face Hub. */
  readonly id: string;
  readonly name: string;
  /** Other ids of the model. */
  readonly aliases?: readonly string[];
  readonly config: object;
  /** The paths in `config` of whole numbers that are written as floats, such as 7.0. */
  readonly floats?: readonly string[];
  /** The number of parameters: the published one, or `stored` minus everything in `beyond`. */
  readonly parameters: Count;
  /** The number of elements in the published files, if they contain more than the model. */
  readonly stored?: Count;
  /** What the published files contain in addition to the parameters, with the number of elements. */
  readonly beyond?: Readonly<Record<string, Count>>;
  /** The source of the configuration and the count. */
  readonly source: string;
  /** The date on which the configuration and the count were recorded, such as `2026-11-21`. */
  readonly recorded: string;
}

/** The original configuration of an entry: a published model, or a model type with its defaults. */
export interface Base {
  readonly kind: 'model' | 'type';
  readonly id: string;
  readonly name: string;
  /** The text of config.json. */
  readonly text: string;
  /** The catalogue entry, if the base is a published model. */
  readonly published?: Published;
}

/** A configuration on the page, and where it comes from. */
export interface Entry {
  readonly text: string;
  /** The published model or model type that the text was derived from. */
  readonly base?: Base;
  /** The name of the file that the text was read from, or another title for a configuration without `base`. */
  readonly title?: string;
  /** The source of the text, in words. */
  readonly from?: string;
  /** The published model that the text describes, and the text for which this was found. */
  readonly known?: { readonly base: Base; readonly text: string };
}
