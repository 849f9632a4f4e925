// Gives each frame the height that its page reports. Without this script a frame keeps the height in its attribute.

addEventListener('message', ({ source, data }) => {
  if (data?.type !== 'param-ledger-height') return;
  for (const frame of document.querySelectorAll('iframe')) if (frame.contentWindow === source) frame.height = data.height;
});
