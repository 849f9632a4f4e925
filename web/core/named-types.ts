// The model types that the text of a configuration names, whether it is JSON yet or not: by them it is known which program counts it.

/** `own`: that of the configuration itself; `all`: with those of its sections. */
export function findNamedTypes(text: string): { own?: string; all: readonly string[] } {
  const all: string[] = [];
  let own: string | undefined;
  let depth = 0;
  let last = '';
  let key = '';
  // A string may be without its end, so that a text of open strings takes one pass.
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"?|[{}[\]:,]/gs)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':') key = last;
    else if (token === ',') key = '';
    else if (key === '"model_type"' && token.length > 1 && token.endsWith('"')) {
      const name = token.slice(1, -1);
      all.push(name);
      if (depth === 1) own ??= name;
    }
    last = token;
  }
  return { own, all };
}
