// Checks which folders of web/ import which, against web/rooms.json.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { imports } from '../modules.mjs';

const web = fileURLToPath(new URL('../../web', import.meta.url));
/** @type {Record<string, { holds: string, imports: string[] }>} */
const rooms = JSON.parse(readFileSync(`${web}/rooms.json`, 'utf8'));
/** Folders that contain no source modules of the page or the package. */
const OTHER = ['dist', 'docs', 'examples', 'made', 'node_modules', 'pictures', 'styles'];

const roomOf = (/** @type {string} */ path) => relative(web, path).split(sep)[0];

/** For each folder, the folders from which it imports. @type {Map<string, Set<string>>} */
const used = new Map(Object.keys(rooms).map((room) => [room, new Set()]));
for (const [path, imported] of imports()) {
  for (const other of imported.map(roomOf)) if (other !== roomOf(path) && other !== 'made') used.get(roomOf(path))?.add(other);
}

test('each folder of modules is a room, and each module is in one', () => {
  const folders = readdirSync(web, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !OTHER.includes(entry.name));
  assert.deepEqual(Object.keys(rooms).sort(), folders.map(({ name }) => name).sort());
  assert.deepEqual([...imports().keys()].filter((path) => !(roomOf(path) in rooms)), []); // prettier-ignore
});

test('a room imports exactly the rooms in its entry', () => {
  const found = Object.fromEntries([...used].map(([room, others]) => [room, [...others].sort()]));
  assert.deepEqual(found, Object.fromEntries(Object.entries(rooms).map(([room, { imports: named }]) => [room, [...named].sort()])));
});

test('rooms are ordered: each imports only earlier ones, so there is no cycle', () => {
  const order = Object.keys(rooms);
  const upwards = order.flatMap((room, i) => rooms[room].imports.filter((other) => !order.slice(0, i).includes(other)).map((other) => `${room} imports ${other}`)); // prettier-ignore
  assert.deepEqual(upwards, []);
});
