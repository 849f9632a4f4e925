// Numbers and formulas as answers write them.

/** A non-negative integer of any size in decimal digits, e.g. "8030261248". */
export type Count = string;

/** What stands between the operands of a formula. `×` and `+` take two or more; `÷` is exact, `⌊÷⌋` rounds down, `⌈÷⌉` up. */
export type Operation = '+' | '×' | '−' | '÷' | '⌊÷⌋' | '⌈÷⌉' | '^';

/** A formula as a tree: a decimal string is a literal, a number is the index of a name in `symbols`, an array an operation and its operands. */
export type Formula = Count | number | [operation: Operation, ...operands: Formula[]];
