// Numbers in the language of a root, for documents that hold several roots. Each component below writes them so whenever it is drawn.

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

/** What Preact calls before it draws a component, and where a vnode has its component: the names that preact/hooks uses, too. */
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
