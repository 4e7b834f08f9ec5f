import {expect, test} from 'vitest';
import {withTableCursor} from '../../src/state/view/view.ts';
import {asks, fleet, knownComputer, knownSession} from '../support/fleet.ts';
import {has} from '../support/screen.tsx';
import {openSessions as app} from '../support/sessions-screen.ts';

const minute = 60_000;

/** The screen over sessions whose turn failed by these words, one each, of one agent on one computer. */
async function failed(...words: readonly string[]) {
	const opened = await app(120, 40);
	const {parts, clock} = opened;
	const at = clock.now() - 30 * minute;
	const sessions = words.map((text, index) =>
		knownSession(`s${index}`, {
			name: `job-${index}`,
			computerId: 'box',
			session: {
				sessionId: `s${index}`,
				agent: 'codex',
				...(text.includes('limit') && {limitedUntil: clock.now() + 30 * minute}),
			},
			activity: {
				...asks,
				state: 'failed',
				evidence: 'error',
				words: text,
				at: at + index,
				changedAt: at + index,
				unread: 1,
			},
		}),
	);
	parts.stores.fleet.setState(fleet(sessions, [knownComputer('box', {name: 'build-box'})]));
	parts.view.setState({cursor: {section: 'needs', id: 's0'}});
	const sent = () => parts.calls.filter(call => call.startsWith('enqueue'));
	return {...opened, sent};
}

test('one key tells a failed agent to continue, and the cursor is on the next', async () => {
	const {screen, parts, sent} = await failed('API Error: 529', 'API Error: 529');
	expect((await screen.until(has('job-0', 'R continue'))).join('')).not.toContain('limited');
	await screen.press('R');
	await screen.until(has('Sending "continue"'));
	expect(sent()).toEqual(['enqueue s0 continue']);
	expect(parts.view.getState().cursor).toEqual({section: 'needs', id: 's1'});
});

test('the shell gets its last command again, never "continue"; without one, the key says why not', async () => {
	const {screen, parts, sent} = await failed('exit 1');
	const {sessions} = parts.stores.fleet.getState();
	const session = {sessionId: 's0', agent: 'shell'};
	const shell = knownSession('s0', {...sessions.get('s0'), session});
	parts.stores.fleet.setState({sessions: new Map([['s0', shell]])});
	await screen.until(has('job-0', 'R run again'));
	await screen.press('R');
	await screen.until(has("the shell's last command isn't known here"));
	expect(sent()).toEqual([]);
	const entry = (id: string, role: 'user' | 'assistant', text: string) =>
		({kind: 'message', id, version: 0, role, message: {id, content: [{type: 'text', text}]}}) as const;
	const entries = [
		entry('1', 'user', 'ls'),
		entry('2', 'user', 'npm test'),
		entry('3', 'assistant', '[exit 1]'),
	];
	parts.actions.engine.sessions.preview = sessionId => ({
		sessionId,
		entries,
		hasOlder: false,
		phase: {name: 'ready'},
	});
	await screen.press('R');
	await screen.until(has('Sending "npm test"'));
	expect(sent()).toEqual(['enqueue s0 npm test']);
});

test('in the table, it continues the marked sessions that failed, unmarks them, and tells why not the others', async () => {
	const {screen, parts, sent} = await failed('API Error: 529', 'API Error: 529', 'API Error: 529');
	const {sessions} = parts.stores.fleet.getState();
	const calm = knownSession('s3', {name: 'calm'});
	parts.stores.fleet.setState({sessions: new Map([...sessions, ['s3', calm]])});
	const message = {images: [], files: [], createdAt: 0, tries: 1} as const;
	const queued = {...message, id: 'o1', sessionId: 's2', text: 'waits', state: 'queued'} as const;
	parts.stores.outbox.setState({bySession: new Map([['s2', [queued]]])});
	await screen.press('2');
	await screen.until(has('job-2', 'calm'));
	// The cursor stays on the session with the queued message, which isn't sent.
	parts.view.setState(view => withTableCursor(view, 'sessions', 's2'));
	await screen.press('V', 'R');
	await screen.until(
		has('Sending "continue" to 2 sessions; left out: 1 with a message that waits, 1 without a failed turn'),
	);
	expect(sent()).toEqual(['enqueue s0 continue', 'enqueue s1 continue']);
	expect(parts.calls.filter(call => call.startsWith('resend'))).toEqual([]);
	expect([...parts.view.getState().sessions.marked].sort()).toEqual(['s2', 's3']);
	await screen.press('z');
	await screen.until(has('Only one session can be snoozed at a time: Esc clears the marks'));
});

test('sessions that a usage limit stops continue once it ends, each after the other, by one key', async () => {
	const limit = 'You’ve hit your usage limit.';
	const {screen, parts, clock, sent} = await failed(limit, limit, 'API Error: 529');
	const seen = await screen.until(has('R continue 2 after', 'limited until'));
	expect(seen.join('').match(/limited until \d\d:\d\d/g)).toHaveLength(2);
	await screen.press('R');
	await screen.until(has('2 sessions continue, one after the other, after'));
	const end = clock.now() + 30 * minute;
	expect(sent()).toEqual([`enqueue s0 continue ${end + 15_000}`, `enqueue s1 continue ${end + 30_000}`]);
	expect(parts.stores.attention.getState().marks.get('s1')).toMatchObject({
		kind: 'snoozed',
		until: end + 30_000 + minute,
	});
	await screen.until(has('1 needs you'));
	await screen.press('u');
	await screen.until(has('3 need you', 'Undone: continuing 2 sessions'));
	expect(parts.calls.filter(call => call.startsWith('discard'))).toHaveLength(2);
	await clock.advance(31 * minute);
	await screen.until(lines => !has('limited until')(lines));
	await screen.press('R');
	await screen.until(has('Sending "continue"'));
	expect(sent().at(-1)).toBe('enqueue s0 continue');
});

test('on a message queued behind an unconfirmed one, it sends that one again', async () => {
	const {screen, parts} = await failed('API Error: 529');
	const message = {sessionId: 's0', images: [], files: [], createdAt: 0, tries: 1} as const;
	const items = [
		{...message, id: 'o1', text: 'lost', state: 'unconfirmed', lookUntil: 1},
		{...message, id: 'o2', text: 'waits', state: 'queued'},
	] as const;
	parts.stores.outbox.setState({bySession: new Map([['s0', items]])});
	parts.view.setState({shown: {kind: 'session', id: 's0'}, focus: 'main'});
	await screen.until(has('waits', '◌ queued behind the unconfirmed message'));
	await screen.press('R');
	await screen.until(has('Sent again; it may appear twice'));
	expect(parts.calls.filter(call => call.startsWith('resend'))).toEqual(['resend o1']);
});

test('in the lists, a message is taken back from the session at the cursor; without one, the keys say so', async () => {
	const {screen, parts} = await failed('API Error: 529', 'API Error: 529');
	const message = {images: [], files: [], createdAt: 0, tries: 1} as const;
	const waiting = {...message, id: 'o1', sessionId: 's0', text: 'waits', state: 'queued'} as const;
	parts.stores.outbox.setState({bySession: new Map([['s0', [waiting]]])});
	parts.view.setState({cursor: {section: 'needs', id: 's1'}});
	await screen.press('x');
	await screen.until(has('Only a queued, failed or unconfirmed message can be taken back'));
	const waitsThere = {...message, id: 'o2', sessionId: 's1', text: 'there', state: 'accepted'} as const;
	parts.stores.outbox.setState({
		bySession: new Map([
			['s0', [waiting]],
			['s1', [waitsThere]],
		]),
	});
	await screen.press('\x1b[1;3A');
	await screen.until(has("No message is queued here; what was sent can't be taken back"));
	parts.view.setState({shown: {kind: 'session', id: 's1'}, focus: 'main'});
	await screen.until(has('there'));
	await screen.press('x');
	await screen.until(has("The service has this message: it can't be taken back"));
	parts.view.setState({focus: 'lists', cursor: {section: 'needs', id: 's0'}});
	await screen.press('x');
	await screen.until(() => parts.calls.includes('discard o1'));
});
