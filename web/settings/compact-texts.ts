// Texts of the compact form, which widgets, frames and embed code contain.

export const bounds = (least: string, most: string) => `Must be from ${least} to ${most} here.`;
export const slider = (field: string) => `Slider for ${field}`;
export const compared = 'Parameters of both models, part by part';
export const difference = 'Difference';
export const whole = 'Every tensor and formula: Param Ledger';
/** The line below the author's fallback content: why no count is shown. */
export const why = (reason: string) => `Not counted here: ${reason}`;
export const unknownModel = (name: string) => `${name.slice(0, 80)} is neither a published model nor a model type.`;
export const noModel = 'No model is given. Name one in the attribute “model”, or give a configuration.';
