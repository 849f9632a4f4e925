// Model ids on the Hugging Face Hub.

/** The first part of addresses of the Hub that lead to something other than a model. */
const ELSEWHERE = /^(datasets|spaces|papers|docs|blog|learn|posts|collections|tasks|settings|api)(\/|$)/i;

/**
 * Whether a text has the form `owner/name`, and `owner` is not a section of the Hub. Neither part may consist of dots only, because `.` and
 * `..` would change the path of a URL.
 */
export const isHubId = (text: string): boolean => /^(?!\.+\/|.*\/\.+$)[\w.-]+\/[\w.-]+$/.test(text) && !ELSEWHERE.test(text);

/**
 * Converts `https://huggingface.co/owner/name/blob/…` to `owner/name`, and `https://huggingface.co/gpt2`, an old address without an owner,
 * to `gpt2`. Undefined for other texts, and for URLs of datasets, spaces and other sections.
 */
export function parseHubId(text: string): string | undefined {
  const path = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([^?#\s]+)/i.exec(text.trim())?.[1] ?? '';
  const [owner = '', name, ...rest] = path.split('/').filter(Boolean);
  const isOldName = !name || (/^(resolve|blob|tree|raw)$/.test(name) && rest[0]);
  if (ELSEWHERE.test(owner)) return undefined;
  if (isOldName) return /^[\w.-]*\w$/.test(owner) ? owner : undefined;
  return isHubId(`${owner}/${name}`) ? `${owner}/${name}` : undefined;
}
