import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {createNotifyCommand, editText, openLink, showInPager} from '../../../src/actions/user-programs.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {appParts} from '../../support/app-parts.ts';
import {eventually} from '../../support/eventually.ts';
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

test('gives the pager the text in a temporary file, and keeps it open even if the text is short', async () => {
	const folder = temporaryFolder();
	const pager = join(folder, 'pager');
	writeFileSync(
		pager,
		`#!/bin/sh\ncd '${folder}'\ncp "$2" shown\necho "$2" > path\nstat -c %a "$2" > rights\nenv > environment\nexit 3\n`,
	);
	chmodSync(pager, 0o755);
	vi.stubEnv('PAGER', `'${pager}' -s`);
	vi.stubEnv('LESS', 'FRX');
	vi.stubEnv('QUARTERDECK_API_KEY', 'k-canary');
	const parts = appParts(fakeClock());
	await showInPager(parts.actions, safe`all of it`);
	const read = (name: string) => readFileSync(join(folder, name), 'utf8');
	expect(read('shown')).toBe('all of it');
	expect(read('rights')).toBe('600\n');
	expect(existsSync(dirname(read('path').trim()))).toBe(false);
	expect(read('environment')).toMatch(/^LESS=FRX\$ -\+F$/m);
	expect(read('environment')).not.toMatch(/canary/);
	expect(parts.stores.notices.getState().list).toEqual([]);
});

test("reports a pager that doesn't exist", async () => {
	vi.stubEnv('PAGER', 'no-such-pager-here');
	const parts = appParts(fakeClock());
	await showInPager(parts.actions, safe`text`);
	expect(parts.stores.notices.getState().list[0]?.text).toMatch(/"no-such-pager-here" was not found/);
});

test("reports a pager that can't be run", async () => {
	const pager = join(temporaryFolder(), 'pager');
	writeFileSync(pager, '#!/bin/sh\n', {mode: 0o644});
	vi.stubEnv('PAGER', pager);
	const parts = appParts(fakeClock());
	await showInPager(parts.actions, safe`text`);
	expect(parts.stores.notices.getState().list[0]?.text).toMatch(
		/"[^"]+pager" can't be run: set PAGER to another one/,
	);
});

/** A folder with an opener that records its arguments and ends with `code`. */
function openerIn(folder: string, code: number): void {
	for (const name of ['xdg-open', 'open']) {
		const lines = `#!/bin/sh\nprintf '%s\\n' "$#" "$1" "$QUARTERDECK_API_KEY" > '${folder}/record'\nexit ${code}\n`;
		writeFileSync(join(folder, name), lines);
		chmodSync(join(folder, name), 0o755);
	}
	vi.stubEnv('PATH', folder);
	vi.stubEnv('QUARTERDECK_API_KEY', 'k-canary');
}

test("passes a link to the system's opener as one argument, without the key", async () => {
	const folder = temporaryFolder();
	openerIn(folder, 0);
	const {actions, stores} = appParts(fakeClock());
	await openLink(actions, 'https://a.example/x y;$(touch z)');
	const record = await eventually(() => {
		const text = readFileSync(join(folder, 'record'), 'utf8');
		expect(text).toMatch(/\n\n$/);
		return text;
	});
	expect(record).toBe('1\nhttps://a.example/x%20y;$(touch%20z)\n\n');
	await eventually(() => expect(stores.notices.getState().list[0]?.text).toMatch(/^Opening https:/));
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', '--version', 'https://me:secret@a.example/'])(
	"doesn't open %s",
	async address => {
		const {actions, stores} = appParts(fakeClock());
		await openLink(actions, address);
		expect(stores.notices.getState().list[0]?.text).toMatch(/only http, https and mailto/);
	},
);

test('says so when the system has no opener, and when the opener fails', async () => {
	const {actions, stores} = appParts(fakeClock());
	const last = () => stores.notices.getState().list.at(-1)?.text;
	const folder = temporaryFolder();
	vi.stubEnv('PATH', folder);
	await openLink(actions, 'https://a.example/');
	await eventually(() => expect(last()).toMatch(/is not installed/));
	openerIn(folder, 3);
	await openLink(actions, 'https://a.example/');
	await eventually(() => expect(last()).toMatch(/ended with 3/));
});

const facts = {sessionId: 's1', title: 'fix-login', reason: 'needs you: May I push?', computer: 'forge'};

function programWith(body: string): {program: string; record: string} {
	const folder = temporaryFolder();
	const program = join(folder, 'tell');
	writeFileSync(program, `#!/bin/sh\ncd '${folder}'\n${body}\n`);
	chmodSync(program, 0o755);
	return {program, record: join(folder, 'record')};
}

const printed = `printf '%s|' "$#" "$1" "$QUARTERDECK_SESSION" "$QUARTERDECK_TITLE" "$QUARTERDECK_REASON" \\
	"$QUARTERDECK_COMPUTER" "$QUARTERDECK_API_KEY" >> record; echo >> record`;

test('gets the facts cleaned and cut, its arguments as they are, and no key; one run at a time', async () => {
	vi.stubEnv('QUARTERDECK_API_KEY', 'k-canary');
	const {program, record} = programWith(printed);
	const {actions, stores} = appParts(fakeClock());
	const run = createNotifyCommand(actions, [program, '$(touch z) "']);
	run({...facts, title: 'fix\u001b[31m\n-login\0', reason: 'x'.repeat(500_000)});
	run(facts);
	const [first = '', second] = await eventually(() => {
		const lines = readFileSync(record, 'utf8').trimEnd().split('\n');
		expect(lines).toHaveLength(2);
		return lines;
	});
	expect(first).toMatch(
		/^1\|\$\(touch z\) "\|s1\|fix[^\u001b\n]*-login[^|]*\|x{900,1000}[^|]{0,5}\|forge\|\|$/,
	);
	expect(second).toBe('1|$(touch z) "|s1|fix-login|needs you: May I push?|forge||');
	expect(stores.notices.getState().list).toEqual([]);
});

test('a failure is shown once, also of a program that is not there or does not end', async () => {
	const failures = [
		{command: [programWith('exit 3').program], said: /ended with 3/},
		{command: [programWith('exec sleep 600').program], said: /ended with SIGKILL/},
		{command: ['/nowhere/tell'], said: /didn't start .*ENOENT/},
	];
	for (const {command, said} of failures) {
		const {actions, stores} = appParts(fakeClock());
		const run = createNotifyCommand(actions, command, 1_000);
		run(facts);
		run(facts);
		await eventually(() =>
			expect(stores.notices.getState().list.map(({text}) => text)).toEqual([expect.stringMatching(said)]),
		);
	}
});
