// Reads a typed field value: JSON if it is valid, else a string.

export function parseFieldValue(text: string): unknown {
  try {
    return JSON.parse(text.trim()) as unknown;
  } catch {
    return text.trim();
  }
}
