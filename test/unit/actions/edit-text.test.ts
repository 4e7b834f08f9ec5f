import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {editText} from '../../../src/actions/user-programs.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {temporaryFolder} from '../../support/local-service.ts';

afterEach(() => vi.unstubAllEnvs());

/** Opens a text in an editor that is a shell script; `$1` is its file. */
async function editWith(script: string, text: string) {
	const folder = temporaryFolder();
	const editor = join(folder, 'an editor');
	writeFileSync(editor, `#!/bin/sh\ncd '${folder}'\n${script}\n`);
	chmodSync(editor, 0o755);
	vi.stubEnv('VISUAL', `'${editor}' --wait`);
	const parts = appParts(fakeClock());
	const listeners = process.listenerCount('SIGINT');
	const written = await editText(parts.actions, text);
	expect(process.listenerCount('SIGINT')).toBe(listeners);
	const said = parts.stores.notices.getState().list.map(notice => notice.text);
	return {written, said, read: (name: string) => readFileSync(join(folder, name), 'utf8')};
}

const nothing = 'true';

test.each(['', 'one', 'one\n', 'one\n\n', '界\u{1f469}\u200d\u{1f680}\ttab  \n end', '\ufeffmark', '-n'])(
	'%j comes back unchanged',
	async text => {
		expect((await editWith(nothing, text)).written).toBe(text);
	},
);

test("drops the final line feed that an editor adds, but keeps the user's changes", async () => {
	expect((await editWith('printf "\\n" >> "$2"', 'one')).written).toBe('one');
	expect((await editWith('printf "two\\n" > "$2"', 'one')).written).toBe('two');
	expect((await editWith('printf "two\\n" > "$2"', 'one\n')).written).toBe('two\n');
});

test('only its owner can read the file, and it is gone afterwards', async () => {
	const {read} = await editWith('echo "$2" > path; stat -c %a "$2" "$(dirname "$2")" > rights', 'secret');
	expect(read('rights')).toBe('600\n700\n');
	expect(existsSync(dirname(read('path').trim()))).toBe(false);
});

test("doesn't pass the key to the editor", async () => {
	vi.stubEnv('QUARTERDECK_API_KEY', 'k-canary');
	vi.stubEnv('QUARTERDECK_BASE_URL', 'https://x.example');
	const {read} = await editWith('env > environment', 'text');
	expect(read('environment')).not.toMatch(/canary|QUARTERDECK/);
	expect(read('environment')).toMatch(/^PATH=/m);
});

test('an editor that fails or is missing changes nothing, and a notice says so', async () => {
	const refused = await editWith('echo other > "$2"; exit 1', 'text');
	expect(refused.written).toBeUndefined();
	expect(refused.said.join()).toMatch(/exited with an error\. Your text is unchanged/);
	vi.stubEnv('VISUAL', 'no-such-editor-here');
	const parts = appParts(fakeClock());
	expect(await editText(parts.actions, 'text')).toBeUndefined();
	expect(parts.stores.notices.getState().list[0]?.text).toMatch(/was not found/);
	const removed = await editWith('rm "$2"', 'text');
	expect([removed.written, removed.said.length]).toEqual([undefined, 1]);
});
