// What stands below all views.

export const colophonTexts = {
  hub: 'A config.json is asked of huggingface.co only when you ask for it.',
  sentence:
    'Counted in your browser by a C++ program in WebAssembly; nothing that you enter leaves this page. Tensor names and defaults are those of Hugging Face transformers.',
  method: 'How it counts, and how that is verified',
  source: 'Source',
  licence: 'MIT licence',
  forget: 'Forget the models visited',
  forgetTitle: 'They are known to this browser alone; the list of models begins with them',
  forgotten: 'No visited model is remembered.',
  keys: 'Keyboard',
};
