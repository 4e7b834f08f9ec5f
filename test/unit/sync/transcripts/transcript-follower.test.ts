import {execFileSync} from 'node:child_process';
import {
	appendFileSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type Clock, systemClock} from '../../../../src/domain/clock.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {createStores} from '../../../../src/state/stores.ts';
import {TranscriptFollower} from '../../../../src/sync/transcripts/transcript-follower.ts';
import {messageParts} from '../../../../src/text/messages/message-parts.ts';
import {eventually} from '../../../support/eventually.ts';
import {type FakeClock, fakeClock, settle} from '../../../support/fake-clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {
	agentLine,
	noteLine,
	toolLines,
	userLine,
	writeLargeTranscript,
} from '../../../support/transcripts.ts';

const place = () => join(temporaryFolder(), 'session.jsonl');

function textsOf(messages: readonly Message[]): string[] {
	return messages.flatMap(message =>
		messageParts(message).flatMap(part => ('text' in part ? [part.text] : [])),
	);
}

function follow(path: string, clock: Clock = fakeClock()) {
	const {streams} = createStores();
	const follower = new TranscriptFollower({sessionId: 's', path, clock, streams});
	let isOpen = true;
	const close = async () => {
		if (isOpen) await follower.close();
		isOpen = false;
	};
	onTestFinished(close);
	const stream = () => streams.getState().open.get('s');
	const messages = () =>
		(stream()?.entries ?? []).flatMap(entry => (entry.kind === 'message' ? [entry.message] : []));
	const advance = (ms: number) => (clock as FakeClock).advance(ms);
	const pending = () => (clock as FakeClock).pending;
	return {advance, pending, follower, stream, messages, texts: () => textsOf(messages()), close};
}

test('a line that is nested too deep is skipped', () => {
	const path = place();
	const nested = `{"type":"user","message":{"content":${'['.repeat(200_000)}${']'.repeat(200_000)}}}\n`;
	writeFileSync(path, userLine('one') + nested);
	expect(follow(path).texts()).toEqual(['one']);
});

describe('follows the file', () => {
	test('as it grows, even with half a line or no line break at its end', async () => {
		const path = place();
		writeFileSync(path, userLine('one') + agentLine('two'));
		const {advance, texts, stream} = follow(path);
		expect(texts()).toEqual(['one', 'two']);
		const before = stream();
		await advance(10_000);
		expect(stream()).toBe(before);
		const half = agentLine('three');
		appendFileSync(path, half.slice(0, 40));
		await advance(2_000);
		expect(texts()).toEqual(['one', 'two']);
		appendFileSync(path, half.slice(40).trimEnd());
		await advance(2_000);
		expect(texts()).toEqual(['one', 'two', 'three']);
		appendFileSync(path, `\n${userLine('four')}`);
		await advance(2_000);
		expect(texts()).toEqual(['one', 'two', 'three', 'four']);
		// What didn't change is the same object: nothing is drawn again.
		expect(stream()?.entries.slice(0, 2)).toEqual(before?.entries);
		expect(stream()?.entries[0]).toBe(before?.entries[0]);
	});

	test('within a moment if the folder can be watched', async () => {
		const path = place();
		writeFileSync(path, userLine('one'));
		const {texts} = follow(path, {
			...systemClock,
			after: (ms, run) => systemClock.after(ms > 1000 ? 60_000 : ms, run),
		});
		for (const word of ['two', 'three', 'four']) {
			appendFileSync(path, agentLine(word));
			await eventually(() => expect(texts().at(-1)).toBe(word));
		}
	});

	test.each<[string, (path: string) => void]>([
		['shortened', path => truncateSync(path, userLine('one').length)],
		['written anew', path => writeFileSync(path, userLine('new').repeat(9))],
		[
			'replaced',
			path => {
				writeFileSync(`${path}.new`, userLine('one') + userLine('new') + userLine('more') + userLine('most'));
				renameSync(`${path}.new`, path);
			},
		],
	])('if it is %s, and shows what is there now', async (_, change) => {
		const path = place();
		writeFileSync(path, userLine('one') + agentLine('two'));
		const {advance, texts} = follow(path);
		change(path);
		await advance(2_000);
		const now = readFileSync(path, 'utf8')
			.trim()
			.split('\n')
			.map(line => JSON.parse(line).message.content);
		expect(texts()).toEqual(now);
	});

	test('before it exists and after it is gone, and says so', async () => {
		const path = place();
		const {advance, texts, stream} = follow(path);
		expect(stream()?.phase).toMatchObject({
			name: 'failed',
			problem: {what: 'There is no transcript yet', isMissing: true},
		});
		writeFileSync(path, userLine('one'));
		await advance(2_000);
		expect([texts(), stream()?.phase.name]).toEqual([['one'], 'ready']);
		rmSync(path);
		await advance(2_000);
		expect([texts(), stream()?.phase.name]).toEqual([['one'], 'failed']);
		writeFileSync(path, userLine('two'));
		await advance(2_000);
		expect([texts(), stream()?.phase.name]).toEqual([['two'], 'ready']);
		rmSync(path);
		execFileSync('mkfifo', [path]);
		await advance(2_000);
		expect(stream()?.phase).toMatchObject({name: 'failed', problem: {what: "The transcript isn't read"}});
	});

	test('until the follower is closed, leaving no open file, timer or stream', async () => {
		const path = place();
		writeFileSync(path, userLine('one'));
		const {pending, close, stream} = follow(path);
		const isOpen = () =>
			readdirSync('/proc/self/fd').some(name => {
				try {
					return readlinkSync(`/proc/self/fd/${name}`) === path;
				} catch {
					return false;
				}
			});
		expect(isOpen()).toBe(true);
		await close();
		expect([isOpen(), pending(), stream()]).toEqual([false, 0, undefined]);
	});
});

test('counts unreadable lines once each, and shows the others', async () => {
	const path = place();
	const broken = [
		'{"type":"user","message":\n',
		'no json at all\n',
		'[1]\n',
		`${'x'.repeat(9 * 1024 * 1024)}\n`,
	];
	writeFileSync(path, broken.map((line, nth) => userLine(`${nth}`) + line).join('') + noteLine());
	const {advance, texts, stream, follower} = follow(path);
	await settle();
	expect([texts(), stream()?.transcript]).toEqual([['0', '1', '2', '3'], {path, unreadable: 4}]);
	follower.showMessage('0');
	await follower.loadOlder();
	appendFileSync(path, 'broken\n');
	await advance(2_000);
	expect(stream()?.transcript?.unreadable).toBe(5);
});

const anyLines = fc.array(
	fc.oneof(
		fc.record({kind: fc.constant('user' as const), text: fc.string({minLength: 1, maxLength: 30})}),
		fc.record({
			kind: fc.constant('agent' as const),
			text: fc.string({unit: 'grapheme', minLength: 1, maxLength: 300}),
		}),
		fc.record({kind: fc.constant('tool' as const), text: fc.string({minLength: 1, maxLength: 30})}),
		fc.record({kind: fc.constant('long' as const), text: fc.string({minLength: 1, maxLength: 5})}),
		fc.record({
			kind: fc.constantFrom('note' as const, 'broken' as const, 'empty' as const),
			text: fc.constant(''),
		}),
	),
	{maxLength: 40},
);

test('shows each text of a random transcript once and in order, to the top and back', async () => {
	const path = place();
	await fc.assert(
		fc.asyncProperty(anyLines, fc.integer({min: 1, max: 120}), fc.nat(), async (lines, times, at) => {
			let count = 0;
			const parts = Array.from({length: times}, () => lines)
				.flat()
				.map(({kind, text}) => {
					const words = `${count++} ${text}`;
					if (kind === 'user') return {line: userLine(words), texts: [words]};
					if (kind === 'agent') return {line: agentLine(words), texts: [words]};
					if (kind === 'tool')
						return {line: toolLines(`t${count}`, 'Bash', {command: 'x'}, words), texts: [words]};
					const long = words.repeat(4000);
					if (kind === 'long' && count % 9 === 0) return {line: agentLine(long), texts: [long]};
					return {line: kind === 'note' ? noteLine() : kind === 'broken' ? '{"type"\n' : '\n', texts: []};
				});
			const expected = parts.flatMap(({texts}) => texts);
			writeFileSync(path, parts.map(({line}) => line).join(''));
			const {follower, stream, messages, texts, close} = follow(path);
			await settle();
			const found = new Map<string, Message>();
			const collect = () => {
				// Whatever part is shown, it is one stretch of the file.
				const shown = texts();
				const start = expected.indexOf(shown[0] ?? '');
				expect(shown).toEqual(shown.length === 0 ? [] : expected.slice(start, start + shown.length));
				for (const message of messages()) found.set(message.id, message);
			};
			collect();
			while (stream()?.hasOlder) {
				await follower.loadOlder();
				collect();
			}
			const inOrder = () => textsOf([...found.values()].sort((a, b) => Number(a.id) - Number(b.id)));
			expect(inOrder()).toEqual(expected);
			found.clear();
			collect();
			while (stream()?.hasNewer) {
				follower.loadNewer();
				collect();
			}
			expect(inOrder()).toEqual(expected);
			const ids = [...found.keys()];
			follower.showMessage(ids[at % Math.max(1, ids.length)] ?? 'none');
			collect();
			follower.showNewest();
			collect();
			expect(texts().at(-1)).toBe(expected.at(-1));
			await close();
		}),
		{numRuns: 8},
	);
});

test('keeps the place of a reader of older messages while the file outgrows memory', async () => {
	const path = place();
	const lines = Array.from({length: 5000}, (_, nth) => userLine(`m${nth}`));
	writeFileSync(path, lines.slice(0, 3000).join(''));
	const {advance, follower, stream, texts} = follow(path);
	while (stream()?.hasOlder && texts()[0] !== 'm1000') await follower.loadOlder();
	expect(texts()).toHaveLength(2000);
	const first = texts()[0];
	appendFileSync(path, lines.slice(3000).join(''));
	await advance(2_000);
	expect([texts()[0], stream()?.hasNewer]).toEqual([first, true]);
	follower.showNewest();
	expect([texts().at(-1), stream()?.hasNewer]).toEqual(['m4999', false]);
	follower.showMessage(stream()?.entries[0]?.id ?? '');
	for (let nth = 0; nth < 3; nth++) appendFileSync(path, userLine(`n${nth}`));
	await advance(2_000);
	expect(texts().at(-1)).toBe('n2');
	// Nothing begins there.
	follower.showMessage('3');
	follower.showMessage('99999999999999');
	follower.showMessage('-1');
	expect(texts().at(-1)).toBe('n2');
});

/** Bytes that this process has read from files so far. */
function bytesRead(): number {
	return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

test('opens a large transcript at its end with few bytes read, and holds only part of it in memory', async () => {
	const large = place();
	const turns = writeLargeTranscript(large, 20 * 1024 * 1024);
	const before = bytesRead();
	const first = follow(large);
	expect(first.texts().at(-1)).toContain(`Done with ${turns}.`);
	await first.close();
	expect(bytesRead() - before).toBeLessThan(6 * 1024 * 1024);
	const {follower, stream, texts} = follow(large);
	expect(texts().at(-1)).toContain(`Done with ${turns}.`);
	let loads = 0;
	let most = 0;
	while (stream()?.hasOlder) {
		await follower.loadOlder();
		loads++;
		most = Math.max(most, stream()?.entries.length ?? 0);
	}
	expect(texts()[0]).toContain('turn-1:');
	expect(most).toBeLessThanOrEqual(2000);
	expect(loads).toBeGreaterThan(10);
}, 60_000);

test('no key waits for a large addition or many empty megabytes, and nothing is lost', async () => {
	const path = place();
	writeFileSync(path, `${userLine('first')}${'\n'.repeat(20 * 1024 * 1024)}${agentLine('last')}`);
	const {advance, follower, stream, texts} = follow(path);
	await settle();
	expect(texts()).toEqual(['first', 'last']);
	follower.showMessage('0');
	appendFileSync(path, agentLine('x'.repeat(1_000_000)).repeat(12) + agentLine('end'));
	const before = bytesRead();
	await advance(2_000);
	expect(texts().at(-1)).not.toBe('end');
	expect(stream()?.hasNewer).toBe(true);
	follower.showNewest();
	expect(texts().at(-1)).toBe('end');
	expect(bytesRead() - before).toBeLessThan(40 * 1024 * 1024);
	appendFileSync(path, agentLine('y'.repeat(1_000_000)).repeat(12) + agentLine('the end'));
	await advance(2_000);
	expect([texts().at(-1), stream()?.hasNewer]).toEqual(['the end', false]);
}, 30_000);
