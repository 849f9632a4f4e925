// Texts for the foot of the page.

export const hub = 'Nothing is fetched from huggingface.co unless you ask.';
export const sentence =
  'Counted in your browser by a C++ program in WebAssembly. Nothing that you enter leaves this page. Tensor names and defaults are those of Hugging Face transformers.';
export const kept = 'Saved in this browser: every view opens offline.';
export const newer = 'A newer version of this page is ready. It will be used after all tabs with this page are closed, or';
export const useNewer = 'now';
export const otherTabs = 'Close the other tabs with this page first.';
export const documents = 'Documents';
export const method = 'How it counts, and how that is verified';
export const source = 'Source';
export const licence = 'MIT licence';
export const forget = 'Forget the models visited';
export const forgetTitle = 'They are stored only in this browser, and come first in the list of models';
export const forgotten = 'No visited models are remembered.';
export const keys = 'Keyboard';
