// The meanings of keys.

export const letters = 'Single letters are shortcuts';
export const shortcuts = [
  ['/', 'Choose a model'],
  ['f', 'Filter the tensors'],
  ['Ctrl Z', 'Undo the last edit, or go back to the model before'],
  ['Ctrl Shift Z', 'Redo'],
  ['↑ ↓', 'In a number field: a step more or less; in the table: the next group'],
  ['← →', 'In the table: close or open a group; in the picture: the neighbour'],
  ['Enter', 'In the picture: look closer'],
  ['Esc', 'In the picture: a step back; else close what is open'],
  ['?', 'These keys'],
] as readonly (readonly [string, string])[];
