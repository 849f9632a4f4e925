// Building and updating nodes. Text only ever becomes text: no markup is parsed anywhere in the page.

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] `on…` adds a listener; what the element has as a property is set as one, the rest as attributes
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any} the element; its class follows from the tag
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === false || value == null) continue;
    else if (PROPERTIES.has(name)) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const PROPERTIES = new Set(['className', 'textContent', 'value', 'checked', 'disabled', 'hidden', 'tabIndex']);

/** Writes only what differs, so that selections survive and nothing is laid out anew. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {Element} element @param {string} name @param {string | boolean | null | undefined} value */
export function setAttribute(element, name, value) {
  if (value === false || value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * Brings children into an order by moving as few of them as possible; what has the focus keeps it.
 * @param {Element} parent
 * @param {Element[]} wanted
 */
export function arrange(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  let at = parent.firstElementChild;
  for (const child of wanted) {
    if (child === at) at = at.nextElementSibling;
    else parent.insertBefore(child, at);
  }
}

/** @param {Element} root @param {string} selector @returns {any} */
export const one = (root, selector) => root.querySelector(selector);

/** @param {HTMLElement} element @param {string} type @param {unknown} [detail] */
export const send = (element, type, detail) => element.dispatchEvent(new CustomEvent(type, { bubbles: true, detail }));

/** For readers who listen, not look. @param {string} text */
export const spoken = (text) => h('span', { className: 'spoken', textContent: text });
