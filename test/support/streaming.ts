import {onTestFinished} from 'vitest';
import type {Message, MessageRole} from '../../src/domain/messages/message.ts';
import type {Stream, StreamEntry} from '../../src/state/stream.ts';
import {createSearcher} from '../../src/sync/search/searcher.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from './app-parts.ts';
import {fakeClock} from './fake-clock.ts';
import {fleet, knownSession} from './fleet.ts';
import {keptMessages} from './kept-messages.ts';
import {openScreen} from './screen.tsx';

export const day = 24 * 3600 * 1000;
/** When the messages were sent, unless they say otherwise, Unix ms. */
export const noon = new Date(2026, 10, 21, 12).getTime();

type MessageFixture = Partial<Message> & {role?: MessageRole; text?: string};

export function entries(reported: readonly MessageFixture[]): StreamEntry[] {
	return reported.map(({role = 'assistant', text, ...message}, index) => {
		const id = message.id ?? `m${index}`;
		const content = text === undefined ? message.content : [{text}];
		const full = {createdAt: noon, ...message, id, ...(content && {content})};
		return {kind: 'message', id, version: 1, role, message: full};
	});
}

/** The screen at an open session whose stream has these messages. Both end with the test. */
export function streaming(
	columns: number,
	rows: number,
	reported: readonly MessageFixture[],
	more: Partial<Stream> = {},
	advance?: Parameters<typeof openScreen>[4],
) {
	const clock = fakeClock();
	const parts = appParts(clock);
	const kept = keptMessages();
	parts.stores.fleet.setState(
		fleet([knownSession('s', {session: {sessionId: 's', title: 'talk', computerId: 'c'}})], []),
	);
	const show = (list: readonly StreamEntry[], change: Partial<Stream> = more) => {
		kept.messages.put(
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
	const screen = openScreen(all, columns, rows, 'truecolor', advance);
	onTestFinished(() => {
		screen.close();
		kept.close();
	});
	return {parts: all, screen, show, kept: kept.messages, clock};
}

/** Sixty short messages, of which six have the word `needle`. */
export const many = Array.from({length: 60}, (_, index) => ({
	text: index % 10 === 3 ? `needle ${index}` : `hay ${index}`,
}));
