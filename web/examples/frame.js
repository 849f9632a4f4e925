// The frame says how high it is; without this it keeps the height of its attribute.

addEventListener('message', ({ source, data }) => {
  if (data?.type !== 'param-ledger-height') return;
  for (const frame of document.querySelectorAll('iframe')) if (frame.contentWindow === source) frame.height = data.height;
});
