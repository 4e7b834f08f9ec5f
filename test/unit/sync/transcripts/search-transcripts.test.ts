import {appendFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {Fleet} from '../../../../src/state/fleet.ts';
import type {FindProgress} from '../../../../src/state/view/find.ts';
import {createSearcher, type SearchProgress} from '../../../../src/sync/search/searcher.ts';
import {searchTranscripts, withTranscripts} from '../../../../src/sync/transcripts/search-transcripts.ts';
import {fakeClock, settle} from '../../../support/fake-clock.ts';
import {keptMessages} from '../../../support/kept-messages.ts';
import {temporaryFolder} from '../../../support/local-service.ts';
import {agentLine, noteLine, toolLines, userLine} from '../../../support/transcripts.ts';

/** A searcher over cached messages and the transcripts of these sessions. */
function searching(paths: {readonly [sessionId: string]: string}) {
	const {messages, close} = keptMessages();
	const clock = fakeClock();
	const known: Pick<Fleet, 'sessions' | 'signals'> = {
		sessions: new Map(
			Object.entries(paths).map(([id, transcriptPath]) => [
				id,
				{id, origin: 'hook', addedAt: 0, transcriptPath},
			]),
		),
		signals: new Map(
			Object.keys(paths).map(sessionId => [
				`claude:${sessionId}`,
				{
					client: 'claude',
					sessionId,
					state: 'done',
					since: 0,
					lastEventAt: 0,
					lastEvent: 'Stop',
					background: 0,
				},
			]),
		),
	};
	const searcher = createSearcher(
		withTranscripts(messages, () => known),
		clock,
	);
	onTestFinished(() => {
		searcher.endInSession();
		close();
	});
	return {messages, clock, searcher};
}

const place = () => join(temporaryFolder(), 'session.jsonl');

describe('in one transcript', () => {
	async function find(path: string, words: string, from?: string) {
		const {clock, searcher} = searching({s: path});
		const progress: FindProgress[] = [];
		searcher.inSession('s', words, from, found => progress.push(found));
		await clock.advance(1_000);
		return {clock, searcher, last: () => progress.at(-1)};
	}

	test('finds words as in any other session: by their beginnings, all of them, without accents', async () => {
		const path = place();
		writeFileSync(
			path,
			[
				userLine('Deploy the café to staging'),
				noteLine('last-prompt', {lastPrompt: 'Deploy the café to staging'}),
				toolLines('t', 'Bash', {command: 'deploy --cafeteria'}, 'all 東京 deployed'),
				agentLine([{type: 'thinking', thinking: 'undeployed'}]),
			].join(''),
		);
		const count = async (words: string) => (await find(path, words)).last();
		expect(await count('deploy')).toMatchObject({count: 3, isOver: true, isIncomplete: false});
		expect(await count('CAFE dep')).toMatchObject({count: 2});
		expect(await count('京')).toMatchObject({count: 1});
		expect(await count('nowhere')).toMatchObject({count: 0, isOver: true});
		expect(await count('  ')).toMatchObject({count: 0});
	});

	test('the cursor moves from match to match and around the ends, however large the file', async () => {
		const path = place();
		const lines = Array.from({length: 3000}, (_, nth) =>
			nth % 1000 === 0 ? userLine(`needle ${nth}`) : agentLine(`hay ${nth} ${'stack '.repeat(80)}`),
		);
		writeFileSync(path, lines.join(''));
		const {searcher, last} = await find(path, 'needle');
		expect(last()).toMatchObject({count: 3, isOver: true});
		const ids = [0, -1, -1, -1, 1, 1].map(by => Number(searcher.move(by as 0)?.id));
		const offset = (nth: number) => Buffer.byteLength(lines.slice(0, nth).join(''));
		expect(ids).toEqual([offset(2000), offset(1000), 0, offset(2000), 0, offset(1000)]);
	});

	test('finds what is written meanwhile, also in a file that replaces it', async () => {
		const path = place();
		writeFileSync(path, userLine('needle one'));
		const {searcher, last} = await find(path, 'needle');
		appendFileSync(path, agentLine('no') + agentLine('needle two'));
		expect(searcher.move(1)).toMatchObject({count: 2});
		writeFileSync(`${path}.new`, userLine('needle').repeat(4));
		renameSync(`${path}.new`, path);
		expect(searcher.move(0)).toMatchObject({count: 4});
		expect(last()?.isIncomplete).toBe(false);
	});

	test('searches a replacement file of over 4 MB to its end, without another write', async () => {
		const path = place();
		writeFileSync(path, userLine('needle one'));
		const {clock, searcher, last} = await find(path, 'needle');
		const hay = agentLine('hay '.repeat(250_000));
		writeFileSync(`${path}.new`, userLine('needle') + hay.repeat(9) + userLine('needle'));
		renameSync(`${path}.new`, path);
		expect(searcher.move(0)).toMatchObject({count: 1});
		await clock.advance(1_000);
		expect(last()).toMatchObject({count: 2, isIncomplete: false});
	});

	test("reports a transcript that can't be read as incomplete", async () => {
		const {last} = await find(join(temporaryFolder(), 'none.jsonl'), 'needle');
		expect(last()).toMatchObject({count: 0, isOver: true, isIncomplete: true});
	});
});

describe('in all sessions', () => {
	test('lists matches in cached messages and transcripts together, newest first', async () => {
		const [first, second] = [place(), place()];
		writeFileSync(first, userLine('needle in the first') + agentLine('nothing'));
		writeFileSync(second, `${agentLine('needle in the second')}broken\n`);
		const {messages, clock, searcher} = searching({first, second, gone: '/nowhere.jsonl'});
		const at = Date.UTC(2026, 10, 1);
		messages.put('cached', [
			{message: {id: 'old', createdAt: at - 5_000, content: [{text: 'needle, cached'}]}},
			{message: {id: 'new', createdAt: at + 10 ** 9, content: [{text: 'needle, cached'}]}},
		]);
		let last: SearchProgress | undefined;
		searcher.inAll('needle', 10, progress => {
			last = progress;
		});
		await clock.advance(1_000);
		await settle();
		expect(last).toMatchObject({count: 4, listed: 4, isOver: true});
		expect(last?.found.map(({sessionId}) => sessionId)).toEqual(['cached', 'second', 'first', 'cached']);
		expect(last?.found[2]).toMatchObject({messageId: '0', snippet: 'needle in the first'});
		expect(last?.searchedBytes).toBeUndefined();
	});

	test('searches only the newest bytes of a file that is too large, and counts them', () => {
		const path = place();
		writeFileSync(path, userLine('needle') + agentLine('x'.repeat(100_000)).repeat(9) + userLine('needle'));
		const {messages} = searching({});
		const search = searchTranscripts([{sessionId: 's', path}], 'needle', 10, messages.matching, 1000);
		let count = 0;
		for (const more of search.steps) count += more;
		expect([count, search.found.length]).toEqual([1, 1]);
		expect(search.searched).toBeLessThan(500_000);
	});
});
