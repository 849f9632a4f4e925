// The value of a field as somebody types it: JSON, else a text.

export function parseFieldValue(text: string): unknown {
  try {
    return JSON.parse(text.trim()) as unknown;
  } catch {
    return text.trim();
  }
}
