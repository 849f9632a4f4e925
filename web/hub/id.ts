// Ids of models on the Hugging Face Hub.

/** Whether a text is `owner/name`. `..` would lead to another place. */
export const isHubId = (text: string): boolean => /^(?!\.+\/|.*\/\.+$)[\w.-]+\/[\w.-]+$/.test(text);

/** `https://huggingface.co/owner/name/blob/…` as `owner/name`, an old name of one word as that word; undefined for anything but a model's address. */
export function parseHubId(text: string): string | undefined {
  const path = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([^?#\s]+)/i.exec(text.trim())?.[1] ?? '';
  const [owner = '', name, ...rest] = path.split('/').filter(Boolean);
  const isOldName = !name || (/^(resolve|blob|tree|raw)$/.test(name) && rest[0]);
  if (/^(datasets|spaces|papers|docs|api)$/.test(owner)) return undefined;
  if (isOldName) return /^[\w.-]*\w$/.test(owner) ? owner : undefined;
  return isHubId(`${owner}/${name}`) ? `${owner}/${name}` : undefined;
}
