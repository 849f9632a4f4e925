/** Starts something once per document or process. After a failure the next call tries again, for example when the network is back. */
export function memoizeAsync<Options, Made>(start: (options: Options) => Promise<Made>): (options: Options) => Promise<Made> {
  let made: Promise<Made> | undefined;
  return (options) => {
    made ??= start(options).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
