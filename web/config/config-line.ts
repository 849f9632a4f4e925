// One line of a file of configurations: a configuration, or `{"id": …, "config": {…}}`.

import { listMembers } from './config-text.ts';

export interface ConfigLine {
  /** JSON text. */
  readonly id?: string;
  readonly config: string;
}

/**
 * The id and the configuration as written; the configuration may itself be a JSON string, as tables have it. A line that is not exactly
 * one JSON object is passed on whole, so that the core reports what is wrong with it.
 */
export function splitLine(text: string): ConfigLine {
  const line = text.replace(/^\ufeff/, '');
  if (!line.includes('"config"') || !isJson(line)) return { config: line };
  const members = new Map(listMembers(line));
  const [id, config] = [members.get('id'), members.get('config')];
  if (config === undefined || members.has('model_type') || (id === undefined && !config.startsWith('{'))) return { config: line };
  return { id, config: config.startsWith('"') ? (JSON.parse(config) as string) : config };
}

/** Whether it is JSON, except for the numbers NaN and Infinity as Python writes them. */
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
