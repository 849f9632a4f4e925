// The catalogue: what the core lists, with what the tests compare for each model type.

import verified from '#verified';
import type { Catalog, Listing } from '../types/index.ts';

export const addVerified = ({ families, ...rest }: Listing): Catalog => ({
  ...rest,
  families: families.map((family) => ({ ...family, verified: verified[family.model_type] })),
});
