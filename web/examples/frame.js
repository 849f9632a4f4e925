// The frame reports its height; without this script it keeps its attribute's height.

addEventListener('message', ({ source, data }) => {
  if (data?.type !== 'param-ledger-height') return;
  for (const frame of document.querySelectorAll('iframe')) if (frame.contentWindow === source) frame.height = data.height;
});
