// Finds the model types and classes that the text of a configuration names, even if it is not valid JSON yet. They decide which program is
// needed.

/** `own`: the model type of the configuration itself. `all`: that type and those of nested sections. `classes`: its `architectures`. */
export function findNamedTypes(text: string): { own?: string; all: readonly string[]; classes: readonly string[] } {
  const all: string[] = [];
  const classes: string[] = [];
  let own: string | undefined;
  let depth = 0;
  let last = '';
  let key = '';
  let isInClasses = false;
  // The closing quote is optional. Otherwise a text with many unclosed strings would take quadratic time.
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"?|[{}[\]:,]/gs)) {
    if (token === '{' || token === '[') {
      depth++;
      isInClasses = depth === 2 && token === '[' && key === '"architectures"';
    } else if (token === '}' || token === ']') {
      depth--;
      isInClasses = false;
    } else if (isInClasses && token.length > 1 && token.endsWith('"')) classes.push(token.slice(1, -1));
    else if (token === ':') key = last;
    else if (token === ',') key = '';
    else if (key === '"model_type"' && token.length > 1 && token.endsWith('"')) {
      const name = token.slice(1, -1);
      all.push(name);
      if (depth === 1) own ??= name;
    }
    last = token;
  }
  return { own, all, classes };
}
