// Where the Hub has a model's config.json; it may redirect within its own host.

export const hubAddress = (id: string) =>
  `https://huggingface.co/${id.split('/').map(encodeURIComponent).join('/')}/resolve/main/config.json`;
