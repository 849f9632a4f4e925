// Splits one line of a file of configurations, which is either a configuration or `{"id": …, "config": {…}}`.

import { listMembers } from './config-text.ts';

export interface ConfigLine {
  /** The id as JSON text. */
  readonly id?: string;
  readonly config: string;
}

/**
 * Returns the id and the configuration as they are written. The configuration may also be a string that contains JSON, as in data exported
 * from a table. Any other line is returned whole as the configuration, so that the core reports what is wrong with an invalid one.
 */
export function splitLine(text: string): ConfigLine {
  const line = text.replace(/^\ufeff/, '');
  if (!line.includes('"config"') || !isJson(line)) return { config: line };
  const members = new Map(listMembers(line));
  const [id, config] = [members.get('id'), members.get('config')];
  if (config === undefined || members.has('model_type') || (id === undefined && !config.startsWith('{'))) return { config: line };
  return { id, config: config.startsWith('"') ? (JSON.parse(config) as string) : config };
}

/** Whether a text is JSON. The numbers NaN and Infinity, which Python writes, are allowed. */
const isJson = (text: string) =>
  parses(text) || parses(text.replace(/"(?:[^"\\]+|\\.)*"?|-?\b(?:Infinity|NaN)\b/gs, (token) => (token[0] === '"' ? token : '0')));

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
