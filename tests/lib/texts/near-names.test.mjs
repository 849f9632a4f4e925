import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance } from '../../../web/lib/texts/near-names.ts';

test('the letters between two words', () => {
  assert.equal(distance('hiden_size', 'hidden_size', 2), 1);
  assert.equal(distance('hidden_szie', 'hidden_size', 2), 1);
  assert.equal(distance('llama', 'llama', 2), 0);
  assert.equal(distance('bert', 'gpt2', 2), 3);
  assert.equal(distance('a', 'abcdefgh', 2), 3);
});
