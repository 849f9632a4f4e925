// Numbers and formulas in answers.

/** A non-negative integer of any size in decimal digits, e.g. "8030261248". */
export type Count = string;

/** The operations of a formula. `×` and `+` take two or more operands; `÷` is exact, `⌊÷⌋` rounds down, `⌈÷⌉` up. */
export type Operation = '+' | '×' | '−' | '÷' | '⌊÷⌋' | '⌈÷⌉' | '^';

/** A formula as a tree: a decimal string is a literal, a number the index of a name in `symbols`, an array an operation with its operands. */
export type Formula = Count | number | [operation: Operation, ...operands: Formula[]];
