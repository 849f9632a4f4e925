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
  letters: 'Single letters are shortcuts',
  shortcuts: [
    ['/', 'Choose a model'],
    ['f', 'Filter the tensors'],
    ['Ctrl Z', 'Undo the last edit, or go back to the model before'],
    ['Ctrl Shift Z', 'Redo'],
    ['↑ ↓', 'In a number field: a step more or less; in the table: the next group'],
    ['← →', 'In the table: close or open a group; in the picture: the neighbour'],
    ['Enter', 'In the picture: look closer'],
    ['Esc', 'In the picture: a step back; else close what is open'],
    ['?', 'These keys'],
  ] as readonly (readonly [string, string])[],
};
