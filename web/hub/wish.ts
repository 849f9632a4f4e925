// What the page knows of the Hub without asking it.

/** A model whose config.json the reader may want from there. */
export interface HubOffer {
  readonly id: string;
  /** The reader has asked for it already, in the list of models. */
  readonly asked: boolean;
  /** In the place of which model; where it is not said, that is for the store to say. */
  readonly at?: number;
}

/** Where the Hub has it; it may redirect within its own host. */
export const hubAddress = (id: string) =>
  `https://huggingface.co/${id.split('/').map(encodeURIComponent).join('/')}/resolve/main/config.json`;
