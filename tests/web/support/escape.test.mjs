import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvCell, escapeMarkdownCell, escapeMarkup } from '../../../web/support/escape.ts';

test('a CSV cell is quoted where needed, and is never a formula', () => {
  assert.equal(csvCell('a, "b"'), '"a, ""b"""');
  assert.equal(csvCell('two\nlines'), '"two\nlines"');
  for (const begin of ['=', '+', '-', '@', '\t', '\r']) assert.ok(csvCell(`${begin}1`).replace(/^"/, '').startsWith(`'${begin}`), begin);
  assert.equal(csvCell('=HYPERLINK("https://a.b")'), `"'=HYPERLINK(""https://a.b"")"`);
  assert.equal(csvCell('8030261248'), '8030261248');
});

test('a Markdown cell stays on its line and in its column', () => {
  assert.equal(escapeMarkdownCell('a|b\r\n<i>'), 'a\\|b &lt;i>');
});

test('text is escaped in markup', () => {
  assert.equal(escapeMarkup('<a title="&">'), '&lt;a title=&quot;&amp;&quot;&gt;');
});
