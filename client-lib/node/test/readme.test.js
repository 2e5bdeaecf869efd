'use strict';

/** The examples of README, to the letter, each in a process of its own. */

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { stage } = require('./support/sidecars');

const set = stage();
const ROOT = path.join(__dirname, '..');
const README = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');

test('examples do what they say', async () => {
  const sidecar = await set.sidecar();
  const folder = set.folder();
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(ROOT, path.join(folder, 'node_modules', 'hdr-sidecar'), 'junction');
  const said = {};
  for (const [, name, example] of README.matchAll(/^<!-- runnable: (\S+) -->\n\n```js\n(.*?)^```$/gms)) {
    fs.writeFileSync(path.join(folder, name), example);
    said[name] = execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8', env: sidecar.environment });
  }
  assert.deepEqual(said, { 'program.mjs': 'paid\npaid 7 again\n', 'program.cjs': 'paid\n', 'load.mjs': '' });
  assert.equal(await sidecar.count('checkout{route="/pay"}'), 4);
  assert.equal(await sidecar.count('pay{kind="response"}'), 100);
  assert.equal((await sidecar.total('upload')).sum, 4096n);
  assert.ok((await sidecar.count('node_hiccup_raw')) > 0);
});
