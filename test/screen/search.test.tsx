import {afterEach, expect, test} from 'vitest';
import {createSearcher} from '../../src/sync/search/searcher.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownSession} from '../support/fleet.ts';
import {keptMessages} from '../support/kept-messages.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';

let ends: (() => void)[] = [];
afterEach(() => {
	for (const end of ends) end();
	ends = [];
});

const noon = new Date(2026, 10, 21, 12).getTime();

/** A screen over cached messages of one session, one minute apart. */
function searching(columns: number, title: string, texts: readonly string[]) {
	const clock = fakeClock();
	const parts = appParts(clock);
	const kept = keptMessages();
	parts.stores.fleet.setState(fleet([knownSession('s', {session: {sessionId: 's', title}})], []));
	const message = (text: string, index: number) => ({
		message: {id: `m${index}`, createdAt: noon + index * 60_000, content: [{text}]},
	});
	kept.messages.put('s', texts.map(message));
	const actions = {...parts.actions, search: createSearcher(kept.messages, clock)};
	const screen: Screen = openScreen({...parts, actions}, columns, 24);
	ends.push(() => screen.close(), kept.close);
	return {screen, clock, parts};
}

test('a long name leaves room for the whole date, and a narrow screen leaves the date out', async () => {
	const title = 'migrate the whole database to the new cluster without any downtime';
	const {screen, clock} = searching(80, title, ['a needle']);
	await screen.press('F', 'needle');
	await clock.advance(100);
	const rows = await screen.until(has('1 found'));
	expect(rows.join('\n')).toMatch(/migrate the whole database .*… {2}2026-11-21 12:00:00 +│/);
	const narrow = searching(40, title, ['a needle']);
	await narrow.screen.press('F', 'needle');
	await narrow.clock.advance(100);
	const found = await narrow.screen.until(has('1 found'));
	expect(found.join('\n')).toMatch(/migrate the whole database .*… *│/);
	expect(found.join('\n')).not.toContain('2026');
});
