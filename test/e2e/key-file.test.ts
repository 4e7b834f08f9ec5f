import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../support/local-service.ts';
import {fill, posts, screenEnv, setUpPlaces, shared, writeProfiles} from '../support/places.ts';
import {openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const size = {columns: 120, rows: 34};

/** A screen whose profile has its key in a file, at an open session. */
async function setUp(more: NodeJS.ProcessEnv = {}) {
	const {home, a1, atA} = await setUpPlaces();
	writeProfiles(home, {default: a1});
	const terminal = openProgram(['--session', shared], {...screenEnv(home), ...more}, size);
	await terminal.see('common secret of a1');
	return {
		atA,
		terminal,
		/** The service takes only another key, which is in the file. */
		renewKey() {
			writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'renewed');
			a1.organization.keys.clear();
			a1.organization.keys.add('renewed');
		},
		untilNewKey: () => expect.poll(() => atA.requests.some(({key}) => key === 'renewed')).toBe(true),
	};
}

async function startWriting(terminal: Terminal): Promise<void> {
	terminal.press('enter');
	await terminal.see('Enter send');
	terminal.type('half a thought');
	await terminal.see('> half a thought');
}

async function quit(terminal: Terminal): Promise<void> {
	terminal.press('q');
	await terminal.exit();
}

test('a new key is read automatically once the service refuses the old one', async () => {
	const {terminal, renewKey, untilNewKey} = await setUp();
	renewKey();
	terminal.press('r');
	await untilNewKey();
	await terminal.see('● connected');
	expect(terminal.screen()).not.toContain('refused');
	await quit(terminal);
});

test('a new key is read while the user pauses in the composer, and typing goes on', async () => {
	const {terminal, renewKey, untilNewKey} = await setUp();
	await startWriting(terminal);
	renewKey();
	await terminal.see('key refused');
	await untilNewKey();
	await terminal.see('● connected');
	await terminal.see('Enter send');
	terminal.type(', and the rest');
	await terminal.see('> half a thought, and the rest');
	terminal.press('esc');
	await terminal.see('q quit');
	await quit(terminal);
});

test('a new key leaves the focus where the user went while the account was checked', async () => {
	const {terminal, renewKey, untilNewKey, atA} = await setUp();
	await startWriting(terminal);
	renewKey();
	await terminal.see('key refused');
	const answers = Promise.withResolvers<void>();
	atA.held = answers.promise;
	await untilNewKey();
	terminal.type(' more');
	await terminal.see('> half a thought more');
	terminal.press('esc');
	await terminal.gone('Enter send');
	answers.resolve();
	await terminal.see('● connected');
	await terminal.see('> half a thought more');
	expect(terminal.screen()).not.toContain('Enter send');
	expect(posts(atA)).toEqual([]);
	await quit(terminal);
});

test('a new key is read only once the user is back from the editor, whose text stays', async () => {
	const editor = join(temporaryFolder(), 'edit.sh');
	// Open for longer than the pause after which the key is read.
	writeFileSync(editor, `#!/bin/sh\nsleep 5\nprintf ', and more' >> "$1"\n`, {mode: 0o755});
	const {terminal, renewKey, untilNewKey} = await setUp({EDITOR: editor});
	await startWriting(terminal);
	renewKey();
	await terminal.see('key refused');
	terminal.press('ctrl+g');
	await terminal.see('> half a thought, and more');
	await untilNewKey();
	await terminal.see('● connected');
	await terminal.see('> half a thought, and more');
	terminal.press('esc');
	await terminal.see('q quit');
	await quit(terminal);
});

test('a key of another account says what stays with the first one', async () => {
	const {home, a1, a2} = await setUpPlaces();
	await fill(a1);
	await fill(a2);
	writeProfiles(home, {default: a1});
	a1.organization.keys.clear();
	expect((await a1.run('send', shared, 'unsent words of a1')).code).toBe(3);
	const terminal = openProgram(['--session', shared], screenEnv(home), size);
	await terminal.see('key refused');
	writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'key-a2');
	terminal.press('r');
	await terminal.see('common secret of a2');
	await terminal.see(/1 unsent message stays with account [0-9a-f]{8}, the old key's/);
	await quit(terminal);
});

test('a filter stays with its account, even if the new key opens the same session of another', async () => {
	const {home, a1, a2} = await setUpPlaces();
	await fill(a1);
	await fill(a2);
	writeProfiles(home, {default: a1});
	const terminal = openProgram(['--session', shared], screenEnv(home), size);
	await terminal.see('common secret of a1');
	await terminal.see('● connected');
	terminal.press('esc');
	await terminal.see('Space reply');
	terminal.press('/');
	await terminal.see('Esc clear');
	terminal.type('common');
	await terminal.see('Sessions · /common');
	terminal.press('enter', 'enter');
	await terminal.see('Enter write');
	a1.organization.keys.clear();
	writeFileSync(join(home, '.config/quarterdeck/key-of-default'), 'key-a2');
	terminal.press('r');
	await terminal.see('common secret of a2');
	expect(terminal.screen()).not.toContain('/common');
	await quit(terminal);
});
