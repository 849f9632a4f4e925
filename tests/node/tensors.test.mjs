import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copies, differences } from './tensors.mjs';

/** @param {string} name @param {object} [other] */
const tensor = (name, other = {}) => ({ name, shape: [2, 3], kind: 'parameter', target: '', ...other });

test('the same tensors in other boxes are equal', () => {
  assert.deepEqual(
    differences([tensor('a.[0-5].b.[0-7].w')], [tensor('a.[3-5].b.[0-7].w'), tensor('a.[0,1,2].b.[0-3].w'), tensor('a.[0-2].b.[4-7].w')]),
    [],
  );
  assert.deepEqual(
    differences(
      [tensor('a.[0-2].w')],
      ['a.0.w', 'a.1.w', 'a.2.w'].map((name) => tensor(name)),
    ),
    [],
  );
});

test('each copy may be tied to the copy with its own indices', () => {
  const tied = (/** @type {string} */ name, /** @type {string} */ target) => tensor(name, { kind: 'tied', target });
  assert.deepEqual(differences([tied('a.0.w', 'b.0.w'), tied('a.1.w', 'b.1.w')], [tied('a.[0-1].w', 'b.[0-1].w')]), []);
  assert.equal(differences([tied('a.0.w', 'b.0.w'), tied('a.1.w', 'b.0.w')], [tied('a.[0-1].w', 'b.[0-1].w')]).length > 0, true);
});

test('every difference is reported', () => {
  assert.match(differences([tensor('a.[0-5].w')], [tensor('a.[0-4].w')])[0], /at \{0-4\}, expected \{0-5\}/);
  assert.match(differences([tensor('a.w')], [tensor('a.w'), tensor('b.w')])[0], /^too many: b.w/);
  assert.match(differences([tensor('a.w'), tensor('b.w')], [tensor('a.w')])[0], /^missing: b.w/);
  assert.match(differences([tensor('a.[0-5].w')], [tensor('a.[0-3].w'), tensor('a.[3-5].w')])[0], /^named twice/);
  assert.equal(differences([tensor('a.w')], [tensor('a.w', { shape: [3, 2] })]).length, 2);
  assert.equal(differences([tensor('a.w')], [tensor('a.w', { kind: 'tied', target: 'b.w' })]).length, 2);
});

test('copies multiply', () => assert.equal(copies('model.layers.[3-60].mlp.experts.[0-255].up_proj.weight'), 58n * 256n));
