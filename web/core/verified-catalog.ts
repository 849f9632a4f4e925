// Adds the test results of each model type to the core's catalogue.

import verified from '#verified';
import type { Catalog, Listing } from '../types/index.ts';

export const addVerified = ({ families, ...rest }: Listing): Catalog => ({
  ...rest,
  families: families.map((family) => ({ ...family, verified: verified[family.model_type] })),
});
