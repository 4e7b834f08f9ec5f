import {expect, test} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import type {WorkingDiff} from '../../src/domain/sessions/work-folder.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession, noon} from '../support/fleet.ts';
import {has, openScreen} from '../support/screen.tsx';

const changed: WorkingDiff = {
	folder: '/srv/shop',
	branch: 'feature/login',
	added: 62,
	removed: 1,
	files: [
		{
			path: 'src/api/server.ts',
			kind: 'modified',
			added: 2,
			removed: 1,
			patch: `@@ -7,3 +7,4 @@ start\n const a = 1;\n-const b = 2;\n+const b = 'two';\n+const far = '${'x'.repeat(120)} END';\n return a;\r`,
		},
		{
			path: 'src/new.ts',
			kind: 'untracked',
			added: 60,
			removed: 0,
			patch: `@@ -0,0 +1,60 @@\n${Array.from({length: 60}, (_, index) => `+line ${index + 1} of the new file`).join('\n')}`,
		},
		{path: 'picture.png', kind: 'added', isBinary: true},
		{path: 'huge.json', kind: 'modified', added: 9, removed: 9, isCut: true},
		{path: 'b.txt', from: 'a.txt', kind: 'renamed', added: 0, removed: 0, patch: ''},
		{
			path: 'evil\u001b[31m\u202ename\n.ts',
			kind: 'deleted',
			added: 0,
			removed: 1,
			patch: '@@ -1 +0,0 @@\n-\u001b[2Jx',
		},
	],
};

async function open(
	answers: readonly (WorkingDiff | Error | Promise<WorkingDiff>)[],
	{size = [120, 40], host}: {readonly size?: readonly [number, number]; readonly host?: string} = {},
) {
	const copied: string[] = [];
	const asked: boolean[] = [];
	let reads = 0;
	const parts = appParts(fakeClock(noon), {
		...(host !== undefined && {profile: {host}}),
		service: {
			workFolders: {
				async diff(_: string, {isSinceBase = false}: {isSinceBase?: boolean} = {}) {
					asked.push(isSinceBase);
					const answer = answers[Math.min(reads++, answers.length - 1)];
					if (answer instanceof Error) throw answer;
					return answer;
				},
			},
		} as unknown as Service,
	});
	Object.assign(parts.actions, {
		copy: async (text: string) => {
			copied.push(text);
			return 'test';
		},
	});
	parts.stores.fleet.setState(
		fleet([knownSession('s1', {computerId: 'c1', name: 'login'})], [knownComputer('c1')]),
	);
	parts.view.setState({cursor: {section: 'sessions', id: 's1'}});
	const screen = openScreen(parts, ...size);
	await screen.until(has('login'));
	return {screen, parts, copied, asked, reads: () => reads};
}

/** The same with its changes on the screen. */
async function openChanges(...how: Parameters<typeof open>) {
	const opened = await open(...how);
	await opened.screen.press('d');
	await opened.screen.until(has('const b'));
	return opened;
}

test('d shows all files beside their changes, with numbers, signs and counts', async () => {
	const {screen} = await open([changed]);
	await screen.press('d');
	const rows = await screen.until(has('const b'));
	expect(rows[1]).toMatch(/Changes · login · feature\/login \+62 -1/);
	expect(rows.at(-3)).toMatch(/^. +\/srv\/shop +.$/);
	expect(rows.find(row => row.includes('M src/api/server.ts'))).toMatch(
		/\+2 -1 │▌src\/api\/server\.ts +\+2 -1/,
	);
	expect(rows.find(row => row.includes("const b = 'two'"))).toMatch(/ 8 \+ const b = 'two';/);
	expect(rows.find(row => row.includes('const b = 2'))).toMatch(/ 8 - const b = 2;/);
	expect(rows.find(row => row.includes('return a'))).toMatch(/10 +return a;/);
	expect(rows.find(row => row.includes('? src/new.ts'))).toContain('+60');
	expect(rows.find(row => row.includes('A picture.png'))).toContain('binary');
	expect(rows.join('\n')).not.toContain('\u001b');
	await screen.press('\u001b');
	await screen.until(rows => !has('Changes · login')(rows));
});

test('keys go through the files, and a file without lines says why', async () => {
	const {screen} = await openChanges([changed], {size: [120, 24]});
	await screen.press('\t');
	await screen.until(rows => /│▌src\/new\.ts {2}new, untracked/.test(rows[2] ?? ''));
	await screen.press('G');
	const end = (await screen.until(has('evil'))).join('\n');
	expect(end).toContain('A binary file: its changes can');
	expect(end).toContain('Too large: the changes of this file are not shown.');
	expect(end).toContain('a.txt → b.txt  renamed');
	expect(end).toContain('No line has changed.');
	expect(end).toMatch(/1 - ␛\[2Jx/);
	await screen.press('g');
	await screen.until(has('const b'));
	await screen.press('llllllllll');
	await screen.until(has('END'));
});

const line = "const b = 'two';";

test('a comment stays at its line, is changed and removed, and goes into the composer with the others', async () => {
	const {screen, parts} = await open([{...changed, id: '1'}]);
	await screen.press('d');
	await screen.until(has(line));
	await screen.press('m');
	await screen.until(has('There are no comments: Enter writes one'));
	await screen.press('j', '\r');
	// The head of a hunk stands for its first line. Without words, there is no comment.
	await screen.until(has('Comment on src/api/server.ts:7'));
	await screen.press('\r', 'j', 'j', 'j', 'j', 'j', 'j', '\r');
	await screen.until(has('Move the cursor to a line of code or to a file'));
	await screen.press('k', 'k', 'k', '\r');
	const writing = await screen.until(
		has('Comment on src/api/server.ts:8   Enter or Esc keeps it; an empty one is discarded'),
	);
	expect(writing.at(-1)).toMatch(/^ Enter keep {3}Ctrl\+J new line /);
	expect(writing[1]).not.toContain('Esc close');
	await screen.press('why two', '\n', 'say it!', '\u007f', '\u001b');
	const rows = await screen.until(has('┃ say it', '1 comment'));
	const at = rows.findIndex(row => row.includes('┃ why two'));
	expect(rows[at - 1]).toMatch(/▌ +8 \+ const b = 'two';/);
	// Stored under an id of its own, as it was typed.
	expect([...parts.kept.values()].map(({text}) => text)).toEqual(['why two\nsay it']);

	// The file itself, in the middle of other words.
	await screen.press('\t', '\r');
	await screen.until(has('Comment on src/new.ts'));
	await screen.press('no tests', '\r');
	await screen.until(has('┃ no tests', '2 comments'));
	// From a row of the comment, too.
	await screen.press('k', 'k', 'k', 'k', 'k', 'k', '\r');
	await screen.until(has('Comment on src/api/server.ts:8', '> why two'));
	await screen.press(' times?', '\r');
	await screen.until(has('┃ say it times?'));

	// Closed and opened again, it is there.
	await screen.press('\u001b');
	// As a session with any other draft.
	await screen.until(rows => has(/login +✎/)(rows) && !has('Changes · login')(rows));
	await screen.press('d');
	await screen.until(has('┃ say it times?', '2 comments'));
	await screen.press('\t', 'x');
	await screen.until(has('Remove this comment?', 'no tests'));
	await screen.press('y');
	await screen.until(rows => has('1 comment')(rows) && !has('no tests')(rows));
	await screen.press('m');
	await screen.until(has('> src/api/server.ts:8', '```ts', 'say it times?', 'Enter send'));
	expect([...parts.kept]).toEqual([
		[
			's1',
			expect.objectContaining({
				text: `src/api/server.ts:8\n\`\`\`ts\n${line}\n\`\`\`\nwhy two\nsay it times?\n`,
			}),
		],
	]);
	expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([]);
});

test('a comment on a line that was committed since can be removed', async () => {
	const committed = {...changed, id: '2', files: changed.files?.slice(1)};
	// It is read again when the question closes.
	const {screen} = await open([
		{...changed, id: '1'},
		committed,
		committed,
		{folder: '/srv/shop', branch: 'feature/login', files: []},
	]);
	await screen.press('d');
	await screen.until(has(line));
	await screen.press('j', 'j', '\r', 'why', '\r', '\t', '\r', 'no tests', '\r');
	await screen.until(has('┃ no tests', '2 comments'));
	await screen.press('g', 'r');
	await screen.until(has("2 comments, 1 of them on a line that isn't shown (x removes it)"));
	await screen.press('j', 'j', 'j', 'x');
	await screen.until(has('Remove this comment?', 'why'));
	await screen.press('y');
	await screen.until(rows => has('1 comment', '┃ no tests')(rows) && !has("isn't shown")(rows));
	// Without any changes, too.
	await screen.press('r');
	await screen.until(has('Nothing has changed', "1 comment on a line that isn't shown (x removes it)"));
	await screen.press('x');
	await screen.until(has('Remove this comment?', 'no tests'));
	await screen.press('y');
	await screen.until(rows => !has('comment')(rows));
});

test("a shell, which runs its messages, can't be sent comments, and says so while one is written", async () => {
	const {screen, parts} = await open([changed]);
	await screen.press('d');
	await screen.until(has(line));
	await screen.press('j', '\r', 'why', '\r');
	await screen.until(has('┃ why', 'm comments into the message'));
	const session = {sessionId: 's1', agent: 'shell'};
	parts.stores.fleet.setState(
		fleet([knownSession('s1', {computerId: 'c1', name: 'login', session})], [knownComputer('c1')]),
	);
	await screen.press('m');
	await screen.until(has("This session runs messages as commands: comments can't be sent to it."));
	await screen.press('\r');
	await screen.until(has("can't be sent: the shell would run it"));
	await screen.press('csx', '\r');
	await screen.until(has('┃ whycsx'));
	expect(parts.view.getState().dialogs).toHaveLength(1);
});

test('Space leaves a file out of the commit, until only such files are left', async () => {
	const {screen} = await openChanges([
		{...changed, id: '1'},
		{...changed, id: '2', files: changed.files?.slice(1, 2)},
	]);
	await screen.press('\t', ' ');
	await screen.until(
		has('○ src/new.ts', 'new, untracked  +60  left out of the commit', 'Space take back in'),
	);
	await screen.press('c');
	await screen.until(has('Commit 5 of 6 files to feature/login'));
	await screen.press('\u001b');
	await screen.until(rows => has('? src/new.ts')(rows) && !has('left out of the commit')(rows));
	await screen.press(' ', 'c');
	await screen.until(has('All files are left out: Space takes one back in.'));
});

test('what a hook refuses stays in the form of the commit; what is committed is told', async () => {
	const {screen, parts} = await open([{...changed, id: '1'}]);
	const messages: string[] = [];
	Object.assign(parts.actions.service.workFolders, {
		commit: async (_: string, {message}: {message: string}) => {
			messages.push(message);
			return message.endsWith('Fix it') ? {commit: 'abcdef1', branch: 'feature/login'} : {problem: 'say why'};
		},
	});
	await screen.press('d');
	await screen.until(has('const b'));
	await screen.press('c');
	await screen.until(has('Commit 6 files to feature/login'));
	await screen.press('Broken', '\r');
	await screen.until(has(/Message +Broken/, 'say why'));
	await screen.press(': Fix it', '\r');
	await screen.until(has('Committed abcdef1 to feature/login'));
	expect(messages).toEqual(['Broken', 'Broken: Fix it']);
});

test('words are found in all files, and n and N go from match to match', async () => {
	const {screen} = await openChanges([changed], {size: [120, 24]});
	await screen.press('/', 'line 5');
	await screen.until(has('1 of 11', 'Esc close search   Enter keep'));
	await screen.press('\r', 'n');
	await screen.until(has('2 of 11'));
	await screen.press('N');
	await screen.until(has('1 of 11'));
	await screen.press('\u001b');
	await screen.until(rows => has('Changes · login')(rows) && !has('of 11')(rows));
});

test("y copies the file's changes, Y all of them; r reads again", async () => {
	const {screen, copied, reads} = await openChanges([
		changed,
		{branch: 'main', files: [], added: 0, removed: 0},
	]);
	await screen.press('y');
	await screen.until(has('Copied'));
	expect(copied[0]).toMatch(/^--- a\/src\/api\/server\.ts\n\+\+\+ b\/src\/api\/server\.ts\n@@ -7,3 \+7,4 @@/);
	await screen.press('Y');
	await expect.poll(() => copied.length).toBe(2);
	expect(copied[1]).toContain('--- /dev/null\n+++ b/src/new.ts\n');
	expect(copied[1]).toContain('--- "a/evil');
	await screen.press('r');
	await screen.until(has('Nothing has changed since the last commit.'));
	expect(reads()).toBe(2);
});

test.each([
	[{problem: 'no-repository'}, 'not in a git repository'],
	[{problem: 'no-folder'}, 'folder of this session is gone'],
	[{files: [{path: 'a.txt', kind: 'constructor'}]}, 'constructor'],
	[{files: [{path: 'a.txt', kind: 'untracked', patch: ''}]}, 'An empty file.'],
	[
		{problem: 'failed', detail: 'fatal: detected dubious \u001b[31mownership'},
		'fatal: detected dubious ␛[31mownership',
	],
	[{files: [], leftOut: 0}, 'Nothing has changed'],
])('without changes to show, it says why: %j', async (diff, words) => {
	const {screen} = await open([diff]);
	await screen.press('d');
	await screen.until(has(words));
});

test('on a narrow screen, files are one below another, without the list', async () => {
	const {screen} = await open([changed], {size: [60, 20]});
	await screen.press('d');
	const rows = await screen.until(has('const b'));
	expect(rows.find(row => row.includes('src/api/server.ts'))).toMatch(/^│▌src\/api\/server\.ts +\+2 -1 /);
	expect(Math.max(...rows.map(row => row.length))).toBeLessThanOrEqual(60);
});

test('on a narrow screen, the footer keeps the keys that decide, and the help and palette open', async () => {
	const {screen} = await open([{...changed, id: '1'}], {size: [80, 24]});
	await screen.press('d');
	const rows = await screen.until(has('const b'));
	expect(rows.at(-1)?.trim()).toBe(
		'Enter comment   c commit   Space leave out   y copy file   ? keys   Esc close',
	);
	await screen.press('?');
	await screen.until(has('Changes (diff)  here', 'Next file'));
	await screen.press('\u001b', '\u0010', 'usage', '\r');
	await screen.until(rows => has('Usage')(rows) && !has('Changes ·')(rows));
});

test("a hosted service isn't asked, and the key says so", async () => {
	const {screen, reads} = await open([changed], {host: 'service.example'});
	await screen.press('d');
	await screen.until(has("This service can't show a session's folder"));
	expect(reads()).toBe(0);
});

test('b shows what has changed since the base branch, and pressed again only uncommitted changes', async () => {
	const all: WorkingDiff = {...changed, base: 'origin/main', commits: 3, added: 70};
	const {screen, asked} = await open([changed, all, changed]);
	await screen.press('d');
	await screen.until(has('Changes · login · feature/login +62 -1'));
	await screen.press('b');
	await screen.until(has('Changes since origin/main and 3 commits · login · feature/login +70 -1'));
	// A commit is of what is uncommitted.
	await screen.press('c');
	await screen.until(has('Only uncommitted changes can be committed: b shows them.'));
	await screen.press('b');
	await screen.until(has('Changes · login · feature/login +62 -1'));
	expect(asked).toEqual([false, true, false]);
});

test('changes count for all sessions in the folder once read, those since the base branch for none', async () => {
	const {screen, parts} = await open([
		{...changed, folder: '/srv/shop'},
		{...changed, folder: '/srv/shop', base: 'main'},
	]);
	const recorded = () => parts.calls.filter(call => call.startsWith('recordFolder'));
	await screen.press('d');
	await screen.until(has('const b'));
	expect(recorded()).toHaveLength(1);
	await screen.press('b');
	await screen.until(has('Changes since main'));
	expect(recorded()).toHaveLength(1);
});

test('while the folder is being read, keys that need its changes say so', async () => {
	const read = Promise.withResolvers<WorkingDiff>();
	const {screen} = await open([read.promise]);
	await screen.press('d');
	const reading = await screen.until(has('Reading the folder'));
	expect(reading.at(-1)?.trim()).toBe(
		'b since the base branch   r refresh   Ctrl+P commands   ? keys   Esc close',
	);
	await screen.press('c');
	const rows = await screen.until(
		has('The folder is still being read: press c again when its changes are shown'),
	);
	expect(rows.join('\n')).not.toContain('Nothing has changed');
	await screen.press('\r');
	await screen.until(has('The folder is still being read: press Enter again'));
	read.resolve({...changed, id: '1'});
	await screen.until(has('const b'));
	await screen.press('c');
	await screen.until(has('Commit 6 files to feature/login'));
});

test.each<[string, WorkingDiff, string]>([
	['base branch', {...changed, hasNoBase: true}, 'No base branch to compare with: no other main or master'],
	['repository', {problem: 'no-repository'}, 'No changes are shown: there is nothing to compare.'],
])('where there is no %s, b says so and reads nothing', async (_, diff, reason) => {
	const {screen, asked} = await open([diff]);
	await screen.press('d');
	const rows = await screen.until(rows => /refresh/.test(rows.at(-1) ?? ''));
	expect(rows.at(-1)).not.toContain('since the base branch');
	await screen.press('b');
	await screen.until(has(reason));
	expect(asked).toEqual([false]);
});

test('s shows the same view of the next session of the repository', async () => {
	const {screen, parts, asked} = await openChanges([changed, changed, {branch: 'other', files: []}]);
	await screen.press('s');
	await screen.until(has('No other session has a folder'));
	const inTree = (id: string) =>
		knownSession(id, {
			computerId: 'c1',
			name: id,
			session: {
				sessionId: id,
				workFolder: {folder: `/trees/${id}`, repository: '/shop/.git', paths: ['src/api/server.ts']},
			},
		});
	const other = {...inTree('logout'), name: 'log out of all devices at once'};
	parts.stores.fleet.setState(fleet([inTree('s1'), other], [knownComputer('c1')]));
	await screen.until(has('src/api/server.ts', 'also in log out of all devices at once'));
	await screen.press('b');
	await screen.until(rows => has('Changes')(rows) && / s next session /.test(rows.at(-1) ?? ''));
	await screen.press('s');
	const rows = await screen.until(has('Changes · log out of all devices at once · other'));
	expect(rows.join()).not.toContain('const b');
	expect(asked).toEqual([false, true, true]);
});
