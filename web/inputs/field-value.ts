// Parses the typed value of a field: as JSON if it is valid, otherwise as a string.

export function parseFieldValue(text: string): unknown {
  try {
    return JSON.parse(text.trim()) as unknown;
  } catch {
    return text.trim();
  }
}
