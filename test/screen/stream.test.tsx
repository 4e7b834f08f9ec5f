import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Stream} from '../../src/state/stream.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownSession, signal} from '../support/fleet.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {openScreen} from '../support/screen.tsx';
import {day, entries, many, noon, streaming} from '../support/streaming.ts';

const trouble = [
	'数据库迁移完成。データのマイグレーションが終わりました。데이터베이스 이전이 끝났습니다.',
	'family 👩‍👩‍👧‍👦 flag 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈 skin 👍🏽 keycap 1️⃣ rocket 🚀 ❤️ ❤️‍🩹 ☎️ ⚠️ ⌚︎ 👩‍❤️‍💋‍👨 🫩 '.repeat(6),
	'ภาษาไทยกำลังทำน้ำ हिन्दी क्षत्रिय नमस्ते বাংলা ক্ষ తెలుగు ខ្មែរ ລາວກຳ தமிழ் 한국어 '.repeat(6),
	'שלום עולם مرحبا بالعالم mixed with left to right '.repeat(4),
	`Z\u0301\u0302\u0303\u0304\u0305\u0306 a\u0301 ${'e\u0301'.repeat(120)}`,
	'x'.repeat(700),
	`| 名前 | value |\n|---|---|\n| ${'長'.repeat(90)} | ${'y'.repeat(90)} |`,
	`\`\`\`ts\nconst s = '${'漢'.repeat(120)}'; // ${'z'.repeat(120)}\n\`\`\``,
	`> ${'引用'.repeat(60)}\n- [ ] ${'項目'.repeat(60)}`,
	'\t\ttabs\there\x1b[31m and \u202e more',
];

test.each(
	[
		[40, 14],
		[120, 40],
	].flatMap(([columns = 0, rows = 0]) => [
		[columns, rows, 'byGrapheme'] as const,
		[columns, rows, 'byCodePoint'] as const,
	]),
)(
	'%i x %i, advancing %s: no row exceeds its pane and no border moves, wherever it is scrolled',
	async (columns, rows, advance) => {
		const {screen} = streaming(
			columns,
			rows,
			trouble.map((text, index) => ({text, role: index % 2 === 0 ? 'assistant' : 'user'})),
			{},
			advance,
		);
		await screen.until(lines => lines.join('').includes('tabs'));
		for (const key of ['g', '\x04', '\x04', 'j', 'e', 'k', '\x1b', 'G']) {
			await screen.press(key);
			expectStraightBorders(screen.cells());
		}
	},
);

test('w writes the messages to a file, as Markdown or JSON', async () => {
	const {screen, parts} = streaming(120, 40, [
		{text: 'the question', role: 'user', createdAt: noon},
		{text: 'an *answer*', role: 'assistant', createdAt: noon},
	]);
	const folder = temporaryFolder();
	Object.assign(parts.program, {userFolders: {...parts.program.userFolders, started: folder}});
	await screen.until(lines => lines.join('').includes('an answer'));
	await screen.press('w');
	await screen.until(lines => lines.join('').includes('Markdown'));
	await screen.press('\x13');
	await screen.until(lines => readdirSync(folder).length === 1 && !lines.join('').includes('Markdown'));
	const [file = ''] = readdirSync(folder);
	expect(readFileSync(join(folder, file), 'utf8')).toMatch(
		/## You, .*\n\nthe question\n\n## Agent, .*\n\nan \*answer\*\n/,
	);
	await screen.press('w');
	await screen.until(lines => lines.join('').includes('Markdown'));
	await screen.press('\t', 'j', '\x13');
	await screen.until(lines => readdirSync(folder).length === 2 && !lines.join('').includes('JSON'));
	const json = readdirSync(folder).find(name => name.endsWith('.json')) ?? '';
	const {data} = JSON.parse(readFileSync(join(folder, json), 'utf8'));
	expect(data.messages).toMatchObject([{role: 'user'}, {role: 'assistant'}]);
});

test('days have headings, and an answer away from its question says what it answers', async () => {
	const {screen} = streaming(120, 40, [
		{text: 'first question', role: 'user', createdAt: noon - day},
		{text: 'second question', role: 'user', createdAt: noon},
		{text: 'an answer', parentId: 'm0', createdAt: noon},
		{text: 'more of it', parentId: 'm0', createdAt: noon},
	]);
	const text = (await screen.until(lines => lines.join('').includes('more of it'))).join('\n');
	expect(text).toMatch(/── Fri 2026-11-20 ─/);
	expect(text).toMatch(/── Sat 2026-11-21 ─/);
	expect(text.match(/↳ 12:00 first question/g)).toHaveLength(1);
});

test('messages not meant for the user are hidden until asked for', async () => {
	const {screen} = streaming(100, 30, [{text: 'seen'}, {text: 'secret plan', isUserVisible: false}]);
	await screen.until(lines => lines.join('').includes('1 hidden'));
	expect((await screen.rows()).join('')).not.toContain('secret plan');
	await screen.press('.');
	await screen.until(lines => lines.join('').includes('secret plan'));
});

test.each([
	[80, 24],
	[120, 40],
])('a cut message at the cursor names the key that expands it, at %i x %i', async (columns, rows) => {
	const tall = Array.from({length: 400}, (_, line) => `line ${line}`).join('\n\n');
	const {screen, parts} = streaming(columns, rows, [{text: tall}, {text: 'short'}, {text: tall}]);
	await screen.until(lines => /\+ \d+ lines {2}e expands/.test(lines.join('\n')));
	openSession(parts, 's', 'composer');
	await screen.until(lines => /\+ \d+ lines {2}Esc, then e expands/.test(lines.join('\n')));
	await screen.press('\x1B', 'e');
	await screen.until(lines => !lines.join('\n').includes('expands'));
	await screen.press('e');
	await screen.until(lines => lines.join('\n').includes('e expands'));
	// At another message, the key would expand that one.
	await screen.press(...'kkkkkkkk');
	await screen.until(lines => !lines.join('\n').includes('expands'));
	await screen.press(...'jjjjjjjj', '\x1B');
	await screen.until(() => parts.view.getState().focus === 'lists');
	expect((await screen.rows()).join('\n')).not.toContain('expands');
});

test('one of several blocks can be chosen and copied', async () => {
	const text = 'look:\n```sh\nnpm ci\n```\nand\n```sh\nnpm test\nnpm start\n```';
	const {screen, parts} = streaming(100, 30, [{text}]);
	await screen.until(lines => lines.join('').includes('npm start'));
	await screen.press('Y');
	await screen.until(lines => lines.join('').includes('Copy part of the message'));
	await screen.press('2');
	await screen.until(() => parts.calls.includes('copy npm test\nnpm start'));
	const rows = await screen.until(lines => lines.join('').includes('Copied '));
	expect(rows.at(-1)).toContain('with the terminal (OSC 52)');
});

test("older messages that arrive don't move what is being read", async () => {
	const {screen, parts, show} = streaming(100, 30, many, {hasOlder: true});
	await screen.press('g');
	const before = await screen.until(lines => lines.join('').includes('↑ older messages'));
	const row = before.findIndex(line => line.includes('hay 0'));
	expect(parts.calls).toContain('loadOlder s');
	show(entries(many), {hasOlder: true, isLoadingOlder: true});
	await screen.until(lines => lines.join('').includes('loading older messages'));
	const older = Array.from({length: 30}, (_, index) => ({id: `o${index}`, text: `old ${index}`}));
	show(entries([...older, ...many.map((one, index) => ({...one, id: `m${index}`}))]), {hasOlder: false});
	const after = await screen.until(lines => lines.join('').includes('old 29'));
	expect(after.findIndex(line => line.includes('hay 0'))).toBe(row);
});

test('a waiting message says what it waits for, and the reason stays on the screen', async () => {
	const {parts, screen} = streaming(140, 40, [], {phase: {name: 'loading'}});
	const problem = {what: "The service can't be reached.", hint: 'Check the network.', at: noon};
	const item = {id: 'o', sessionId: 's', text: 'my wish', images: [], files: [], createdAt: noon, tries: 0};
	parts.stores.outbox.setState({bySession: new Map([['s', [{...item, state: 'queued'}]]])});
	parts.stores.connection.setState({state: 'offline', problem, retryAt: parts.actions.clock.now() + 4_000});
	const text = (await screen.until(rows => rows.join('').includes('until the service is back'))).join('\n');
	expect(text).toMatch(/you 12:00 +◌ queued until the service is back *│[\s\S]* my wish/);
	expect(text).toContain("✗ The service can't be reached.");
	expect(text).toContain('Check the network.');
	parts.stores.connection.setState({state: 'unauthorized', retryAt: undefined});
	await screen.until(rows => rows.join('').includes('◌ queued · key refused'));
});

test('a message waits for its turn even in a session that only its messages show to be working', async () => {
	const talk = [
		{text: 'Fix it', role: 'user' as const},
		{text: 'I look'},
		{text: 'Then deploy', role: 'user' as const},
	];
	const {parts, screen, clock} = streaming(140, 40, talk);
	const item = {
		id: 'o',
		sessionId: 's',
		text: 'Then deploy',
		images: [],
		files: [],
		createdAt: noon,
		tries: 1,
	};
	const sent = {...item, state: 'seen', messageId: 'm2', isBehind: true} as const;
	const next = {...item, id: 'o2', text: 'And test', tries: 0, state: 'queued'} as const;
	parts.stores.outbox.setState({bySession: new Map([['s', [sent, next]]])});
	const [at, changedAt] = [clock.now(), clock.now()];
	const activity = {
		state: 'working',
		evidence: 'user-message',
		at,
		changedAt,
		newestId: 'm2',
		unread: 0,
	} as const;
	parts.stores.fleet.setState(fleet([knownSession('s', {activity})]));
	await screen.until(rows => rows.join('').includes('waiting for its turn'));
	await screen.until(rows => /queued until the agent's turn ends[\s\S]*R send now/.test(rows.join('\n')));
	await screen.press('R');
	await screen.until(() => parts.calls.includes('resend o2'));
	// Nobody knows what it waits for until the session is read again.
	const old = {...activity, changedAt: changedAt - 61_000} as const;
	parts.stores.fleet.setState(fleet([knownSession('s', {activity: old})]));
	await screen.until(rows => !rows.join('').includes('waiting for its turn'));
});

test('the upper border says that there is more above, until the first message is in sight', async () => {
	const {screen} = streaming(80, 24, many);
	const border = (rows: readonly string[]) => rows.find(row => row.includes('─ ') && row.includes('╮')) ?? '';
	await screen.until(rows => border(rows).includes('↑ ─'));
	await screen.press('g');
	await screen.until(rows => border(rows) !== '' && !border(rows).includes('↑'));
});

test('a key read together with the one that opens a session acts on its stream', async () => {
	const parts = appParts(fakeClock());
	const needsYou = signal('s', 'needs-permission', {since: 1, lastEventAt: 1});
	parts.stores.fleet.setState(fleet([knownSession('s')], [], [needsYou]));
	const reported = Array.from({length: 60}, (_, index) => ({text: `said ${index}.`}));
	const cached: Stream = {
		sessionId: 's',
		entries: entries(reported),
		hasOlder: false,
		phase: {name: 'ready'},
		readAt: noon,
	};
	parts.actions.engine.sessions.open = id => {
		parts.stores.streams.setState({open: new Map([[id, cached]])});
		return () => undefined;
	};
	const screen = openScreen(parts, 120, 24);
	await screen.until(rows => rows.join('').includes('1 needs you'));
	await screen.press(']g');
	await screen.until(rows => rows.join('').includes('said 0.'));
});
