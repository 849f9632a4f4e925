// Rewrites a WebAssembly module so that it uses no exceptions, for hosts that lack them or support only one of their two encodings. A throw
// becomes a flag and a branch to the handler. After each call that may throw, a set flag makes the caller branch to its own handler. The
// input uses the encoding of Emscripten 3.1.6 (`try`, `catch`, `delegate`). Any construct that this file does not know is an error.

const I32 = 0x7f;
const VOID = 0x40;
const SECTION = { custom: 0, type: 1, import: 2, function: 3, global: 6, export: 7, code: 10, tag: 13 };
const KIND = { function: 0, memory: 2, global: 3 };
const OP = {
  ...{ unreachable: 0x00, block: 0x02, loop: 0x03, if: 0x04, else: 0x05, end: 0x0b, br: 0x0c, brIf: 0x0d, brTable: 0x0e, return: 0x0f },
  ...{ try: 0x06, catch: 0x07, throw: 0x08, rethrow: 0x09, delegate: 0x18, catchAll: 0x19, call: 0x10, callIndirect: 0x11 },
  ...{
    localGet: 0x20,
    localSet: 0x21,
    localTee: 0x22,
    globalGet: 0x23,
    globalSet: 0x24,
    i32Const: 0x41,
    i64Const: 0x42,
    f32Const: 0x43,
    f64Const: 0x44,
  },
};
const OPENS = new Set([OP.block, OP.loop, OP.if, OP.try]);
const CLOSES = new Set([OP.end, OP.delegate]);
const HAS_NUMBER = new Set([OP.catch, OP.throw, OP.rethrow, OP.br, OP.brIf, OP.call, OP.delegate]);

/** @param {string} what @returns {never} */
function refuse(what) {
  throw new Error(`A module with ${what} cannot be rewritten without exceptions.`);
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** Reads an unsigned LEB128 number. A signed one is skipped correctly, but its value may be wrong. */
  number() {
    for (let out = 0, factor = 1; ; factor *= 128) {
      const byte = this.byte();
      out += (byte & 127) * factor;
      if (byte < 128) return out;
    }
  }

  /** @template T @param {() => T} read @returns {T[]} */
  list(read) {
    return Array.from({ length: this.number() }, read);
  }

  /** @param {number} size */
  take(size) {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
}

/** @param {number} value @returns {number[]} */
const unsigned = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(Math.floor(value / 128))]);

/** @param {number} type @returns {number[]} the instruction that pushes zero of this type */
function zero(type) {
  if (type === I32) return [OP.i32Const, 0];
  if (type === 0x7e) return [OP.i64Const, 0];
  if (type === 0x7d) return [OP.f32Const, 0, 0, 0, 0];
  if (type === 0x7c) return [OP.f64Const, 0, 0, 0, 0, 0, 0, 0, 0];
  return refuse(`results of the type ${type}`);
}

/** @param {Uint8Array} module @returns {{ id: number, contents: Uint8Array }[]} */
function readSections(module) {
  const reader = new Reader(module, 8);
  const out = [];
  while (reader.at < reader.end) out.push({ id: reader.byte(), contents: reader.take(reader.number()) });
  return out;
}

/** @typedef {{ parameters: number[], results: number[] }} FunctionType */

/** @param {Reader} reader @returns {FunctionType} */
function readType(reader) {
  if (reader.byte() !== 0x60) refuse('types of other things than functions');
  return { parameters: reader.list(() => reader.byte()), results: reader.list(() => reader.byte()) };
}

/** @param {Reader} reader */
function readImport(reader) {
  reader.take(reader.number());
  reader.take(reader.number());
  const kind = reader.byte();
  if (kind === KIND.function) return { kind, type: reader.number() };
  if (kind === KIND.global) reader.take(2);
  else if (kind === KIND.memory) Array.from({ length: 1 + (reader.byte() & 1) }, () => reader.number());
  else refuse(`an import of kind ${kind}`);
  return { kind, type: -1 };
}

/**
 * An instruction: its position in the bytes, and its immediate operands (labels, functions, types or tags). For a `try` that delegates,
 * `delegate` is the label; otherwise it is -1.
 * @typedef {{ op: number, begin: number, end: number, values: number[], delegate: number }} Instruction
 */

/** Skips the operands of an instruction that is copied unchanged. @param {number} op @param {Reader} reader */
function skipOperands(op, reader) {
  const skip = (/** @type {number} */ count) => Array.from({ length: count }, () => reader.number());
  if (op <= 0x01 || (op >= 0x45 && op <= 0xc4) || [OP.else, OP.end, OP.return, OP.catchAll, 0x1a, 0x1b, 0xd1].includes(op)) return;
  if ((op >= 0x20 && op <= 0x26) || (op >= 0x3f && op <= 0x42) || op === 0xd0 || op === 0xd2) skip(1);
  else if (op >= 0x28 && op <= 0x3e) skip(2);
  else if (op === 0x1c) reader.list(() => reader.byte());
  else if (op === OP.f32Const) reader.take(4);
  else if (op === OP.f64Const) reader.take(8);
  else if (op === 0xfc) {
    const second = reader.number();
    if (second > 17) refuse(`the operation 0xfc ${second}`);
    if (second >= 8) skip([8, 10, 12, 14].includes(second) ? 2 : 1);
  } else refuse(`the operation ${op}`);
}

/** @param {Reader} reader @returns {Instruction} */
function readInstruction(reader) {
  /** @type {Instruction} */
  const one = { begin: reader.at, op: reader.byte(), end: 0, values: [], delegate: -1 };
  if (HAS_NUMBER.has(one.op)) one.values = [reader.number()];
  else if (OPENS.has(one.op)) {
    one.values = [reader.byte()];
    if (one.values[0] < VOID || one.values[0] > I32) refuse('blocks that have parameters or several results');
  } else if (one.op === OP.brTable) one.values = [...reader.list(() => reader.number()), reader.number()];
  else if (one.op === OP.callIndirect) one.values = [reader.number(), reader.number()];
  else skipOperands(one.op, reader);
  one.end = reader.at;
  return one;
}

/**
 * Reads all instructions except the clauses of a `try` after its first one. They are unreachable: there is only one kind of exception, so
 * the first clause catches it.
 * @param {Reader} reader
 */
function readInstructions(reader) {
  /** @type {Instruction[]} */
  const out = [];
  /** @type {{ begins: Instruction, catches: boolean }[]} */
  const open = [];
  let unreached = Infinity; // the number of open blocks where an unreachable clause began; Infinity outside one
  while (reader.at < reader.end) {
    const one = readInstruction(reader);
    if (OPENS.has(one.op)) open.push({ begins: one, catches: false });
    const last = open.at(-1);
    if (last && (one.op === OP.catch || one.op === OP.catchAll)) {
      if (last.catches) unreached = Math.min(unreached, open.length);
      last.catches = true;
    }
    if (CLOSES.has(one.op)) {
      if (one.op === OP.delegate && last) [last.begins.delegate] = one.values;
      if (open.length === unreached) unreached = Infinity;
      open.pop();
    }
    if (unreached === Infinity) out.push(one);
  }
  return out;
}

/**
 * @typedef {object} Body
 * @property {number} index of the function
 * @property {{ count: number, type: number }[]} locals
 * @property {Instruction[]} instructions
 * @property {Uint8Array} bytes of the whole code section
 */

/** @param {Uint8Array} bytes @param {number} first index of the first function @returns {Body[]} */
function readBodies(bytes, first) {
  const reader = new Reader(bytes);
  let index = first;
  return reader.list(() => {
    const end = reader.number() + reader.at;
    const own = new Reader(bytes, reader.at, end);
    reader.at = end;
    const locals = own.list(() => ({ count: own.number(), type: own.byte() }));
    return { index: index++, locals, instructions: readInstructions(own), bytes };
  });
}

/**
 * The functions that an exception may leave. Their catch clauses are not considered, so a function that catches everything may be included.
 * @param {Body[]} bodies @returns {Set<number>}
 */
function findThrowing(bodies) {
  /** @type {Map<number, number[]>} */
  const callers = new Map();
  const out = new Set();
  for (const { index, instructions } of bodies)
    for (const { op, values } of instructions) {
      if ([OP.throw, OP.rethrow, OP.callIndirect].includes(op)) out.add(index);
      if (op === OP.call) callers.set(values[0], [...(callers.get(values[0]) ?? []), index]);
    }
  for (const callee of out) for (const caller of callers.get(callee) ?? []) out.add(caller);
  return out;
}

/**
 * A label of the original function. `at`: the index of the corresponding label in the result, counted from the outermost. `handler`: the
 * label in the result to which a throw branches. `outer`: the handler outside of the enclosing `try`. `caught`: the local that holds the
 * exception inside a catch clause, or -1.
 * @typedef {{ at: number, handler: number, outer: number, caught: number }} Label
 */

/**
 * @typedef {object} Module
 * @property {Set<number>} throwing functions that an exception may leave
 * @property {number[]} thrown the encoded index of the global that is 1 while an exception propagates
 * @property {number[]} payload the encoded index of the global that holds the exception
 * @property {Set<number>} exported functions
 */

/**
 * Writes the locals and instructions of a function without exceptions.
 * @param {Body} body @param {FunctionType} type @param {Module} module
 */
function writeBody({ index, locals, instructions, bytes }, { parameters, results }, { throwing, thrown, payload, exported }) {
  /** @type {number[]} */
  const out = [];
  let depth = 1; // the number of open labels in the result
  const open = (/** @type {number} */ op, /** @type {number} */ result) => {
    out.push(op, result);
    return depth++;
  };
  const close = () => {
    out.push(OP.end);
    depth -= 1;
  };
  const to = (/** @type {number} */ at) => unsigned(depth - 1 - at);
  const mayThrow = throwing.has(index);
  const uncaught = mayThrow ? open(OP.block, VOID) : -1;
  /** @type {Label[]} */
  const labels = [{ at: 0, handler: uncaught, outer: uncaught, caught: -1 }];
  const label = (/** @type {number} */ distance) => labels[labels.length - 1 - distance];
  const raise = () => {
    out.push(OP.globalSet, ...payload, OP.i32Const, 1, OP.globalSet, ...thrown, OP.br, ...to(label(0).handler));
  };
  const firstCaught = parameters.length + locals.reduce((sum, { count }) => sum + count, 0);
  let catches = 0; // the number of catch clauses that are open
  let mostCatches = 0;

  for (const { op, begin, end, values, delegate } of instructions) {
    const [value] = values;
    const current = label(0);
    if (op === OP.try) {
      const target = delegate < 0 ? undefined : label(delegate);
      const at = open(OP.block, value);
      labels.push({ at, handler: target ? target.handler : open(OP.block, VOID), outer: current.handler, caught: -1 });
    } else if (OPENS.has(op)) labels.push({ ...current, at: open(op, value), caught: -1 });
    else if (op === OP.catch || op === OP.catchAll) {
      out.push(OP.br, ...to(current.at));
      close();
      current.handler = current.outer;
      current.caught = firstCaught + catches++;
      mostCatches = Math.max(mostCatches, catches);
      out.push(OP.globalGet, ...payload, op === OP.catch ? OP.localTee : OP.localSet, ...unsigned(current.caught));
      out.push(OP.i32Const, 0, OP.globalSet, ...thrown);
    } else if (op === OP.throw) raise();
    else if (op === OP.rethrow) {
      out.push(OP.localGet, ...unsigned(label(value).caught));
      raise();
    } else if (op === OP.br || op === OP.brIf) out.push(op, ...to(label(value).at));
    else if (op === OP.brTable) out.push(op, ...unsigned(values.length - 1), ...values.flatMap((one) => to(label(one).at)));
    else if (CLOSES.has(op)) {
      if (current.caught >= 0) catches -= 1;
      labels.pop();
      if (labels.length === 0 && mayThrow) {
        out.push(OP.return);
        close();
        // The host does not know the flag, so an uncaught exception in an exported function becomes a trap.
        out.push(...(exported.has(index) ? [OP.unreachable] : results.flatMap(zero)));
      }
      close();
    } else {
      for (let at = begin; at < end; at += 1) out.push(bytes[at]);
      if (op === OP.callIndirect || (op === OP.call && throwing.has(value)))
        out.push(OP.globalGet, ...thrown, OP.brIf, ...to(current.handler));
    }
  }
  const all = mostCatches > 0 ? [...locals, { count: mostCatches, type: I32 }] : locals;
  return [...unsigned(all.length), ...all.flatMap(({ count, type }) => [...unsigned(count), type])].concat(out);
}

/** A WebAssembly vector: its length, then its elements. @param {number} count @param {readonly Uint8Array[]} parts */
const list = (count, parts) => Buffer.concat([Buffer.from(unsigned(count)), ...parts]);

/** Returns the module without exceptions, and without names and other custom sections. @param {Uint8Array} module @returns {Uint8Array} */
export function lowerExceptions(module) {
  const sections = readSections(module);
  const read = (/** @type {number} */ id) => new Reader(sections.find((one) => one.id === id)?.contents ?? Uint8Array.of(0));
  const imports = read(SECTION.import);
  const imported = imports.list(() => readImport(imports));
  const tags = read(SECTION.tag);
  if (tags.number() !== 1) refuse('several kinds of exceptions');
  const typeReader = read(SECTION.type);
  const types = typeReader.list(() => readType(typeReader));
  const functions = read(SECTION.function);
  const typeOf = [
    ...imported.flatMap(({ kind, type }) => (kind === KIND.function ? [type] : [])),
    ...functions.list(() => functions.number()),
  ];
  const bodies = readBodies(read(SECTION.code).bytes, imported.filter(({ kind }) => kind === KIND.function).length);
  const exports = read(SECTION.export);
  const exported = exports.list(() => {
    exports.take(exports.number());
    return { kind: exports.byte(), index: exports.number() };
  });
  const globals = read(SECTION.global);
  const globalCount = globals.number();
  const firstGlobal = globalCount + imported.filter(({ kind }) => kind === KIND.global).length;
  const around = {
    throwing: findThrowing(bodies),
    thrown: unsigned(firstGlobal),
    payload: unsigned(firstGlobal + 1),
    exported: new Set(exported.flatMap(({ kind, index }) => (kind === KIND.function ? [index] : []))),
  };
  const ownGlobal = Uint8Array.of(I32, 1, OP.i32Const, 0, OP.end);
  /** @param {{ id: number, contents: Uint8Array }} section */
  const written = ({ id, contents }) => {
    if (id === SECTION.global) return list(globalCount + 2, [contents.subarray(globals.at), ownGlobal, ownGlobal]);
    if (id !== SECTION.code) return contents;
    const code = bodies.map((body) => Uint8Array.from(writeBody(body, types[typeOf[body.index]], around)));
    return list(code.length, code.flatMap((one) => [Uint8Array.from(unsigned(one.length)), one])); // prettier-ignore
  };
  const kept = sections.filter(({ id }) => id !== SECTION.custom && id !== SECTION.tag);
  const out = kept.map((section) => {
    const contents = written(section);
    return Buffer.concat([Uint8Array.of(section.id), Uint8Array.from(unsigned(contents.length)), contents]);
  });
  return Buffer.concat([module.subarray(0, 8), ...out]);
}
