// Writes numbers in the language of a root, as a document may hold several roots. Each component below it uses that language whenever it is drawn.

import { Component, options, type ComponentChildren, type VNode } from 'preact';
import { setNumbers, type Numbers } from '../support/numbers.ts';

export class NumbersScope extends Component<{ numbers: Numbers; children?: ComponentChildren }> {
  override getChildContext() {
    return { numbers: this.props.numbers };
  }
  override render() {
    return this.props.children;
  }
}

/** Preact's internal hook before a component is drawn, and the property of a vnode that holds its component; preact/hooks uses the same names. */
interface Hooks {
  __r?: (vnode: VNode & { readonly __c: { readonly context: { readonly numbers?: Numbers } } }) => void;
}

const hooks = options as Hooks;
const previous = hooks.__r;
hooks.__r = (vnode) => {
  previous?.(vnode);
  const { numbers } = vnode.__c.context;
  if (numbers) setNumbers(numbers);
};
