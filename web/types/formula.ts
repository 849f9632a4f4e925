// Numbers and formulas in answers.

/** An integer of any size as a decimal string, e.g. "8030261248". Not negative, unless it is a difference. */
export type Count = string;

/** The operators of a formula. `×` and `+` take two or more operands. `÷` is exact; `⌊÷⌋` rounds down and `⌈÷⌉` rounds up. */
export type Operation = '+' | '×' | '−' | '÷' | '⌊÷⌋' | '⌈÷⌉' | '^';

/**
 * A formula as a tree. A decimal string is a literal, a number is the index of a name in `symbols`, and an array is an operation with its
 * operands.
 */
export type Formula = Count | number | [operation: Operation, ...operands: Formula[]];
