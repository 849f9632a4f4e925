// Texts below all views.

export const hub = 'Nothing is fetched from huggingface.co unless you ask.';
export const sentence =
  'Counted in your browser by a C++ program in WebAssembly; nothing that you enter leaves this page. Tensor names and defaults are those of Hugging Face transformers.';
export const kept = 'Kept in this browser: every view opens without a network.';
export const newer = 'A newer version of this page is here. It is used once all tabs with this one are closed, or';
export const useNewer = 'now';
export const otherTabs = 'Close the other tabs with this page first.';
export const documents = 'Documents';
export const method = 'How it counts, and how that is verified';
export const source = 'Source';
export const licence = 'MIT licence';
export const forget = 'Forget the models visited';
export const forgetTitle = 'They are known to this browser alone; the list of models begins with them';
export const forgotten = 'No visited model is remembered.';
export const keys = 'Keyboard';
