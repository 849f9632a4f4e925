/**
 * Returns a function whose first call calls `start`. Later calls return the first call's promise and ignore their options. After a failure,
 * for example without a network, the next call tries again.
 */
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
