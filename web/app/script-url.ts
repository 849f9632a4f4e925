// Creates script URLs with the Trusted Types policy that the page's Content-Security-Policy requires.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

export function trustScriptUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return url;
  policy ??= trustedTypes.createPolicy('param-ledger-worker', { createScriptURL: (own) => own });
  return policy.createScriptURL(url);
}
