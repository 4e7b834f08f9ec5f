import {afterEach, expect, test} from 'vitest';
import type {Message, MessageRole} from '../../src/domain/messages/message.ts';
import type {Stream, StreamEntry} from '../../src/state/stream.ts';
import {createSearcher} from '../../src/sync/search/searcher.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownSession, signal} from '../support/fleet.ts';
import {keptMessages} from '../support/kept-messages.ts';
import {openScreen, type Screen} from '../support/screen.tsx';

let screen: Screen | undefined;
let kept: ReturnType<typeof keptMessages> | undefined;
afterEach(() => {
	screen?.close();
	kept?.close();
});

const day = 24 * 3600 * 1000;
const noon = new Date(2026, 10, 21, 12).getTime();

type MessageFixture = Partial<Message> & {role?: MessageRole; text?: string};

function entries(reported: readonly MessageFixture[]): StreamEntry[] {
	return reported.map(({role = 'assistant', text, ...message}, index) => {
		const id = message.id ?? `m${index}`;
		const content = text === undefined ? message.content : [{text}];
		const full = {createdAt: noon, ...message, id, ...(content && {content})};
		return {kind: 'message', id, version: 1, role, message: full};
	});
}

function streaming(
	columns: number,
	rows: number,
	reported: readonly MessageFixture[],
	more: Partial<Stream> = {},
	advance?: Parameters<typeof openScreen>[4],
) {
	const clock = fakeClock();
	const parts = appParts(clock);
	kept = keptMessages();
	parts.stores.fleet.setState(
		fleet([knownSession('s', {session: {sessionId: 's', title: 'talk', computerId: 'c'}})], []),
	);
	const show = (list: readonly StreamEntry[], change: Partial<Stream> = more) => {
		kept?.messages.put(
			's',
			list.flatMap(entry => (entry.kind === 'message' ? [{message: entry.message}] : [])),
		);
		parts.stores.streams.setState({
			open: new Map([
				[
					's',
					{sessionId: 's', entries: list, hasOlder: false, phase: {name: 'ready'}, readAt: noon, ...change},
				],
			]),
		});
	};
	show(entries(reported));
	const actions = {...parts.actions, search: createSearcher(kept.messages, parts.actions.clock)};
	const all = {...parts, actions};
	openSession(all, 's', 'main');
	screen = openScreen(all, columns, rows, 'truecolor', advance);
	return {parts: all, screen, show, kept: kept.messages, clock};
}

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
		[80, 24],
		[120, 40],
		[200, 50],
	].flatMap(([columns = 0, rows = 0]) => [
		[columns, rows, 'byGrapheme'] as const,
		[columns, rows, 'byCodePoint'] as const,
	]),
)(
	'%i x %i, advancing %s: no row is wider than its pane and no border moves, wherever it is scrolled to',
	async (columns, rows, advance) => {
		const {screen} = streaming(
			columns,
			rows,
			trouble.map((text, index) => ({text, role: index % 2 === 0 ? 'assistant' : 'user'})),
			{},
			advance,
		);
		await screen.until(lines => lines.join('').includes('tabs'));
		for (const key of ['g', '\x04', '\x04', 'j', 'e', 'k', 'v', 'j', '\x1b', 'G']) {
			await screen.press(key);
			expectStraightBorders(screen.cells());
		}
	},
);

test('days are told apart, and an answer that stands elsewhere says what it answers', async () => {
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

test('what is not meant to be seen is hidden until it is asked for', async () => {
	const {screen} = streaming(100, 30, [{text: 'seen'}, {text: 'secret plan', isUserVisible: false}]);
	await screen.until(lines => lines.join('').includes('1 hidden'));
	expect((await screen.rows()).join('')).not.toContain('secret plan');
	await screen.press('H');
	await screen.until(lines => lines.join('').includes('secret plan'));
});

const many = Array.from({length: 60}, (_, index) => ({
	text: index % 10 === 3 ? `needle ${index}` : `hay ${index}`,
}));

test('finding: as it is typed, counted, with n and N around the ends, gone with escape', async () => {
	const {screen} = streaming(100, 30, many);
	await screen.press('/', 'needle');
	await screen.until(lines => /needle +message 6 of 6/.test(lines.join('')));
	await screen.press('\r', 'N', 'N');
	const rows = await screen.until(lines => lines.join('').includes('4 of 6'));
	expect(rows.join('')).toMatch(/▌.*needle 33/);
	await screen.press('n', 'n', 'n');
	await screen.until(lines => lines.join('').includes('1 of 6') && lines.join('').includes('needle 3'));
	await screen.press('\x1b');
	await screen.until(lines => !lines.join('').includes('of 6'));
});

test('words that are nowhere say so, and do not move the text', async () => {
	const {screen} = streaming(100, 30, many);
	const before = await screen.until(lines => lines.join('').includes('hay 59'));
	await screen.press('/', 'zzz');
	const after = await screen.until(lines => lines.join('').includes('not found'));
	expect(after.slice(2, 20)).toEqual(before.slice(2, 20));
	expect(after.join('')).toContain('zzz   not found · words match from their beginning');
});

test('what comes while words are looked for is counted and lit up, and nothing moves', async () => {
	const {screen, show, clock} = streaming(100, 30, many);
	await screen.press('/', 'needle', '\r', 'N');
	const before = await screen.until(lines => lines.join('').includes('5 of 6'));
	const more = Array.from({length: 30}, (_, index) => ({
		id: `n${index}`,
		text: `needle and needle ${index}`,
	}));
	const older = [{id: 'o', text: 'an old needle', createdAt: noon - day}];
	const known = many.map((one, index) => ({...one, id: `m${index}`}));
	show(entries([...older, ...known, ...more]));
	await clock.advance(100);
	const after = await screen.until(lines => lines.join('').includes('6 of 37'));
	expect(after.slice(1, 20)).toEqual(before.slice(1, 20));
	await screen.press('n', 'n');
	await screen.until(lines => lines.join('').includes('message 8 of 37 · match 1 of 2'));
	await screen.press('n');
	await screen.until(lines => lines.join('').includes('message 8 of 37 · match 2 of 2'));
	await screen.press('n', 'N');
	await screen.until(lines => lines.join('').includes('message 8 of 37 · match 2 of 2'));
});

test('where there is little room, the count goes before the keys and the words', async () => {
	const {screen} = streaming(40, 16, many);
	await screen.press('/', 'needle', '\r', 'N');
	await screen.until(lines => / needle {3}5 of 6 · n N · Esc /.test(lines.join('')));
	await screen.press('/', 'a needle that is nowhere to be found');
	await screen.until(lines => /─ \/ .*re to be found {3}not found ─┤/.test(lines.join('')));
	expectStraightBorders(screen.cells());
});

test.each([
	[40, 16, ''],
	[80, 24, '请先看一看下面这个问题：'],
	[120, 40, ''],
	[200, 50, '请先看看下面的问题：'],
])('places that are broken over rows count and are gone to, %i columns', async (columns, rows, begin) => {
	const text = begin + '请检查数据库连接池的参数，'.repeat(9);
	const {screen} = streaming(columns, rows, [{text}, {text: '没有'}]);
	await screen.press('/', '连接池', '\r');
	await screen.until(lines => lines.join('').includes('match 1 of 9'));
	for (let place = 2; place <= 9; place++) {
		await screen.press('n');
		await screen.until(lines => lines.join('').includes(`match ${place} of 9`));
	}
	expectStraightBorders(screen.cells());
});

test.each([
	['step 2', /match 1 of 11/, /build step 2$/],
	['build step 25', /message 1 of 1/, /build step 25$/],
	['"step 25"', /message 1 of 1/, /build step 25$/],
	['step-25', /message 1 of 1/, /build step 25$/],
	['25 build', /message 1 of 1 · match 25 of 41/, /build step 25$/],
])('%s leads to the line where the words stand together', async (words, count, line) => {
	const steps = Array.from({length: 40}, (_, index) => `build step ${index + 1}`);
	const {screen} = streaming(100, 20, [{content: [{type: 'tool_result', content: steps.join('\n')}]}]);
	await screen.press('/', words);
	const rows = await screen.until(lines => count.test(lines.join('')));
	const stripped = rows.map(row => row.replace(/[│\s]+$/u, ''));
	expect(stripped.some(row => line.test(row))).toBe(true);
});

test.each([
	['a message', (text: string) => ({text, role: 'user'}) as const],
	['an output', (content: string) => ({content: [{type: 'tool_result', content}]})],
])(
	'words in what is not shown of %s, even expanded, are said to be there, with the key that opens it',
	async (_, messageOf) => {
		const rows = Array.from({length: 2500}, (_, index) => `row ${index + 1}`);
		const {screen} = streaming(140, 20, [messageOf(rows.join('\n')), {text: 'thanks'}]);
		const untilSaid = (said: string) => screen.until(lines => lines.join('').includes(said));
		await screen.press('/', '2200');
		await untilSaid('message 1 of 1 · not in the rows shown ─');
		await screen.press('\r');
		await untilSaid('message 1 of 1 · not in the rows shown: o opens all of it · n N · Esc');
		await screen.press('G');
		await untilSaid('message 1 of 1 · not in the rows shown · n N · Esc');
		await screen.press('n');
		await untilSaid('not in the rows shown: o opens');
		await screen.press('/', '1200', '\r');
		const shown = await untilSaid('message 1 of 1 · n N · Esc');
		expect(shown.join('\n')).toContain('row 1200');
	},
);

test('words that are not there yet are kept, and found when they come', async () => {
	const {screen, show, kept, clock} = streaming(100, 30, many);
	await screen.press('/', 'later', '\r');
	await screen.until(lines => lines.join('').includes('not found yet · Esc'));
	const known = many.map((one, index) => ({...one, id: `m${index}`}));
	let version = 1;
	const says = (text: string) =>
		show(
			entries([...known, {id: 'new', text}]).map(entry => (entry.id === 'new' ? {...entry, version} : entry)),
		);
	says('it comes later');
	await clock.advance(100);
	const rows = await screen.until(lines => lines.join('').includes('1 found'));
	expect(rows.join('')).toContain('it comes later');
	await screen.press('n');
	await screen.until(lines => lines.join('').includes('1 of 1 ·'));
	// It goes on to say it: the message counts once, its places each.
	version++;
	says('it comes later, and later');
	await clock.advance(100);
	await screen.until(lines => lines.join('').includes('message 1 of 1 · match 1 of 2 in it'));
	kept.remove('s', ['new']);
	show(entries(known));
	await clock.advance(100);
	await screen.until(lines => lines.join('').includes('not found'));
});

test('a message that was expanded for a place is collapsed again when the reader goes on', async () => {
	const collapsed = {type: 'tool_result', content: `first\n${'more\n'.repeat(30)}deep needle`};
	const {screen} = streaming(100, 30, [{content: [collapsed]}, {text: 'a needle'}]);
	await screen.press('/', 'needle', '\r', 'N');
	await screen.until(lines => lines.join('').includes('deep needle'));
	await screen.press('n');
	const rows = await screen.until(lines => lines.join('').includes('2 of 2'));
	expect(rows.join('')).toContain('+ 31 lines');
});

test.each([
	[80, 24],
	[120, 40],
])('a cut message at the cursor names the key that expands it, at %i x %i', async (columns, rows) => {
	const tall = Array.from({length: 400}, (_, line) => `line ${line}`).join('\n\n');
	const {screen, parts} = streaming(columns, rows, [{text: tall}, {text: 'short'}, {text: tall}]);
	await screen.until(lines => /\+ \d+ lines {2}e expands/.test(lines.join('\n')));
	openSession(parts, 's', 'composer');
	await screen.until(lines => /\+ \d+ lines {2}Esc e expands/.test(lines.join('\n')));
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

test('an expanded message that is cut names the pager, and its key collapses it', async () => {
	const tall = Array.from({length: 5000}, (_, line) => `line ${line}`).join('\n');
	const {screen, parts} = streaming(120, 40, [{text: tall}, {text: 'short'}, {text: tall}]);
	await screen.until(lines => lines.at(-1)?.includes('e expand') === true);
	await screen.press('e');
	const opened = await screen.until(lines => lines.at(-1)?.includes('e collapse') === true);
	expect(opened.join('\n')).toContain('+ 3000 lines  o opens the pager');
	openSession(parts, 's', 'composer');
	await screen.until(lines => lines.join('\n').includes('+ 3000 lines  Esc o opens the pager'));
	await screen.press('\x1B', 'e');
	const closed = await screen.until(lines => lines.at(-1)?.includes('e expand') === true);
	expect(closed.join('\n')).not.toContain('opens the pager');
});

test('a message that is not loaded is asked for, and stands where it was found', async () => {
	const {screen, parts, show, kept} = streaming(100, 30, many);
	const far = {id: 'far', text: 'the old one', createdAt: noon - 1};
	kept.put('s', [{message: {id: far.id, createdAt: far.createdAt, content: [{text: far.text}]}}]);
	await screen.press('/', 'old');
	await screen.until(() => parts.calls.includes('showMessage s far'));
	show(entries([...many.slice(0, 20), far, ...many.slice(20, 40)]), {
		hasNewer: true,
	});
	const rows = await screen.until(lines => lines.join('').includes('the old one'));
	expect(rows.join('')).toMatch(/▌.*the old one/);
	await screen.press('\x1b', 'G');
	await screen.until(() => parts.calls.includes('showNewest s'));
});

test('a message that is loaded late is shown where the words stand together', async () => {
	const {screen, parts, show, kept} = streaming(100, 30, many);
	const text = Array.from({length: 60}, (_, index) => `- row ${index + 1} old`).join('\n');
	kept.put('s', [{message: {id: 'far', createdAt: noon - 1, content: [{text}]}}]);
	await screen.press('/', 'old row 45');
	await screen.until(() => parts.calls.includes('showMessage s far'));
	show(entries([...many.slice(0, 20), {id: 'far', text, createdAt: noon - 1}]), {hasNewer: true});
	await screen.until(lines => /match \d+ of 121/.test(lines.join('')) && /row 45 old/.test(lines.join('')));
});

test('what hides a message that was found is opened', async () => {
	const collapsed = {type: 'tool_result', content: `first\n${'more\n'.repeat(30)}deep needle`};
	const {screen} = streaming(100, 30, [
		{text: 'secret needle', isUserVisible: false},
		{content: [{text: 'see'}, collapsed]},
	]);
	await screen.press('/', 'needle', '\r');
	await screen.until(lines => /2 of 2/.test(lines.join('')) && lines.join('').includes('deep needle'));
	await screen.press('n');
	await screen.until(lines => lines.join('').includes('secret needle'));
});

test('searching all sessions leads to the message', async () => {
	const {screen, clock} = streaming(120, 40, many);
	await screen.press('F', 'needle');
	await clock.advance(100);
	await screen.until(lines => lines.join('').includes('6 found'));
	await screen.press('\x1b[B', '\r');
	const rows = await screen.until(lines => lines.join('').includes('5 of 6'));
	expect(rows.join('')).toMatch(/▌.*needle 43/);
});

test('one block of several is chosen and copied, marked rows without their gutter', async () => {
	const text = 'look:\n```sh\nnpm ci\n```\nand\n```sh\nnpm test\nnpm start\n```';
	const {screen, parts} = streaming(100, 30, [{text}]);
	await screen.until(lines => lines.join('').includes('npm start'));
	await screen.press('Y');
	await screen.until(lines => lines.join('').includes('Copy part of the message'));
	await screen.press('2');
	await screen.until(() => parts.calls.includes('copy npm test\nnpm start'));
	await screen.press('v', 'j', 'j', 'y');
	await screen.until(() => parts.calls.includes('copy look:\nsh\nnpm ci'));
	const rows = await screen.until(lines => lines.join('').includes('Copied 3 rows'));
	expect(rows.at(-1)).toContain('with the terminal (OSC 52)');
});

test('older messages that arrive leave what is read where it is', async () => {
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

test('a message that waits says for what, and the reason stays on the screen with it', async () => {
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

test('a message waits for its turn also in a session that only its messages show at work', async () => {
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
	parts.stores.outbox.setState({bySession: new Map([['s', [sent]]])});
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
	const {engine} = parts.actions;
	const sessions = {
		...engine.sessions,
		open(id: string) {
			parts.stores.streams.setState({open: new Map([[id, cached]])});
			return () => undefined;
		},
	};
	const actions = {...parts.actions, engine: {...engine, sessions}};
	screen = openScreen({...parts, actions}, 120, 24);
	await screen.until(rows => rows.join('').includes('1 needs you'));
	await screen.press(']g');
	await screen.until(rows => rows.join('').includes('said 0.'));
});

test('a session that keys read together leave and come back to is followed again', async () => {
	const parts = appParts(fakeClock());
	const known = [knownSession('s'), knownSession('t')];
	const needsYou = known.map(({id}) => signal(id, 'needs-permission', {since: 1, lastEventAt: 1}));
	parts.stores.fleet.setState(fleet(known, [], needsYou));
	const followed = new Set<string>();
	const {engine} = parts.actions;
	const sessions = {
		...engine.sessions,
		open(id: string) {
			followed.add(id);
			return () => followed.delete(id);
		},
	};
	const actions = {...parts.actions, engine: {...engine, sessions}};
	screen = openScreen({...parts, actions}, 120, 24);
	await screen.until(rows => rows.join('').includes('2 need you'));
	await screen.press(']');
	await screen.until(() => followed.size === 1);
	const before = [...followed];
	await screen.press('][');
	await screen.rows();
	expect([...followed]).toEqual(before);
});
