// What the widget and the frame say beyond the parts that they show.

export const compactTexts = {
  bounds: (least: string, most: string) => `Here from ${least} to ${most}.`,
  slider: (field: string) => `${field}, by sliding`,
  compared: 'Parameters of both models, part by part',
  difference: 'Difference',
  whole: 'Every tensor and formula: Param Ledger',
  noModel: 'There is no model here: name one in the attribute “model”, or give a configuration.',
};
