// The descriptions of the keyboard shortcuts.

export const letters = 'Single letters are shortcuts';
export const shortcuts = [
  ['/', 'Choose a model'],
  ['f', 'Filter the tensors'],
  ['Ctrl Z', 'Undo the last edit, or go back to the previous model'],
  ['Ctrl Shift Z', 'Redo'],
  ['↑ ↓', 'In a number field: one step up or down; in the table: the next group'],
  ['← →', 'In the table: close or open a group; in the picture: the neighbour'],
  ['Enter', 'In the picture: zoom in'],
  ['Esc', 'In the picture: zoom out; elsewhere: close what is open'],
  ['?', 'These keys'],
] as readonly (readonly [string, string])[];
