// Sets the language in which a tree of components formats numbers. One document may contain several such trees, for example widgets in
// different languages.

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

/**
 * Preact's internal hook that runs before a component is drawn (`__r`), and the property of a vnode that holds its component (`__c`).
 * preact/hooks relies on these names, too.
 */
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
