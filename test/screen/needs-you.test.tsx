import {expect, test} from 'vitest';
import {openSession} from '../../src/ui/open-session.ts';
import {expectBox, expectStraightBorders} from '../support/borders.ts';
import {asks, knownComputer, knownSession} from '../support/fleet.ts';
import {has} from '../support/screen.tsx';
import {openSessions as app, sizes} from '../support/sessions-screen.ts';

const minute = 60_000;

test('acknowledging moves on to the next session that asks, lowers the count, and can be undone', async () => {
	const {screen, parts} = await app(120, 40);
	await screen.until(has('2 need you'));
	await screen.press('m');
	const one = await screen.until(has('1 needs you'));
	expect(one.join('\n')).toMatch(/fix-login +acknowledged/);
	expect(parts.view.getState().cursor).toEqual({section: 'needs', id: 's-api'});
	await screen.press('m');
	await screen.until(has('nothing needs you'));
	await screen.press('u');
	await screen.until(has('1 needs you'));
	const footer = (await screen.until(has('Undone: acknowledging api-migration'))).at(-1);
	expect(footer).not.toContain('undoes this');
	await screen.press('u');
	await screen.until(has('2 need you', 'Undone: acknowledging fix-login'));
});

test('while the key is refused, or no session can be read, the pane says that it is not known, and why', async () => {
	const {screen, parts} = await app(120, 40);
	await screen.press('mm');
	await screen.until(has('✓ nothing', 'nothing needs you'));
	const problem = {what: 'Refused', at: 0};
	parts.stores.connection.setState({state: 'unauthorized', problem});
	const refused = await screen.until(has('? key refused'));
	expect(refused.join()).not.toMatch(/nothing/);
	parts.stores.connection.setState({state: 'polling', problem: undefined});
	await screen.until(has('✓ nothing', 'nothing needs you'));
	const {sessions} = parts.stores.fleet.getState();
	const [first = '', ...others] = sessions.keys();
	parts.stores.fleet.setState({problems: new Map(others.map(id => [id, problem]))});
	await screen.until(has('✓ nothing'));
	parts.stores.fleet.setState({problems: new Map([first, ...others].map(id => [id, problem]))});
	const unread = await screen.until(has("? can't be read"));
	expect(unread.join()).not.toMatch(/nothing/);
});

test.each(sizes)(
	'%i x %i: the inbox shows waits, snoozes, opens sessions, and keeps its row',
	async (columns, rows) => {
		const {screen, parts} = await app(columns, rows);
		await screen.press('I');
		const open = await screen.until(has('Inbox', '2 waiting'));
		expectBox(open, 'Inbox');
		expect(open.join('\n')).toMatch(/fix-login.*waiting 12m/);
		await screen.press('z');
		expectBox(await screen.until(has('Snooze', '15 minutes', 'tomorrow')), 'Snooze');
		await screen.until(has(/until tomorrow, 8:00 +(Sun|Mon|Tue|Wed|Thu|Fri|Sat) +│/));
		await screen.press('2');
		const snoozed = await screen.until(has('1 waiting', '1 acknowledged'));
		expect(snoozed.join('\n')).toMatch(/fix-login.*until \d\d:\d\d|fix-login.*tomorrow \d\d:\d\d/);
		expect(parts.view.getState().dialogs).toMatchObject([{kind: 'inbox', id: 's-api'}]);
		await screen.press('u');
		await screen.until(has('2 waiting'));
		expect(parts.view.getState().dialogs).toMatchObject([{kind: 'inbox', id: 's-api'}]);
		await screen.press('\r');
		await screen.until(lines => !has('Inbox')(lines));
		expect(parts.view.getState()).toMatchObject({shown: {kind: 'session', id: 's-api'}, focus: 'main'});
	},
);

test('while another one needs you, the key to the next one never says that nothing does', async () => {
	const {screen, parts} = await app(120, 40);
	await screen.until(has('2 need you'));
	await screen.press(']');
	await screen.until(() => parts.view.getState().shown?.id === 's-api');
	await screen.press('\x1b', 'k');
	await screen.until(() => parts.view.getState().cursor?.id === 's-login');
	// Back from the lists, over the composer.
	await screen.press('\x1b[Z', '\x1b');
	await screen.until(() => parts.view.getState().focus === 'main');
	await screen.press(']');
	await screen.until(() => parts.view.getState().shown?.id === 's-login');
	expect(parts.stores.notices.getState().list).toEqual([]);
});

test.each(sizes)('%i x %i: a quick reply keeps its draft and the open session', async (columns, rows) => {
	const {screen, parts} = await app(columns, rows);
	openSession(parts, 's-shop', 'lists');
	await screen.press('g', ' ');
	expectStraightBorders((await screen.until(has('Reply to fix-login'))).map(row => [...row]));
	await screen.press('yes, push');
	await screen.until(has('> yes, push'));
	await screen.press('\x1b');
	await screen.until(lines => !has('Reply to')(lines));
	expect(parts.view.getState()).toMatchObject({shown: {id: 's-shop'}, focus: 'lists'});
	await screen.press(' ');
	await screen.until(has('> yes, push'));
	await screen.press('\r');
	await screen.until(lines => !has('Reply to')(lines));
	expect(parts.calls).toContain('enqueue s-login yes, push');
	// The cursor keeps its place, where the next one will be, instead of following the answered session away.
	const cursor = {section: 'needs', id: 's-api'};
	expect(parts.view.getState()).toMatchObject({shown: {id: 's-shop'}, focus: 'lists', cursor});
	expect(parts.calls.filter(call => call === 'open s-login').length).toBe(
		parts.calls.filter(call => call === 'close s-login').length,
	);
});

test.each([
	[80, 24],
	[90, 30],
] as const)(
	'%i x %i: a reply from the lists returns to them where the composer would hide them',
	async (columns, rows) => {
		const {screen, parts} = await app(columns, rows);
		openSession(parts, 's-login', 'lists');
		await screen.until(has('> Space writes, Enter opens it'));
		await screen.press(' ');
		const reply = await screen.until(has('Reply to fix-login', 'api-migration'));
		expectStraightBorders(reply.map(row => [...row]));
		expect(reply.join('\n')).not.toContain('─ Message');
		await screen.press('yes, push', '\r');
		await screen.until(lines => !has('Reply to')(lines));
		expect(parts.calls).toContain('enqueue s-login yes, push');
		expect(parts.view.getState()).toMatchObject({shown: {id: 's-login'}, focus: 'lists'});
	},
);

test('one key sends a reply and writes the next, over the lists and in open sessions', async () => {
	const {screen, parts} = await app(120, 40);
	const {fleet} = parts.stores;
	const answered = () =>
		fleet.setState(({signals}) => ({
			signals: new Map([...signals].filter(([, {sessionId}]) => sessionId !== 's-login')),
		}));
	const ctrlS = '\x13';
	await screen.until(has('fix-login'));
	await screen.press('g', ' ', 'yes, push');
	await screen.until(has('send, next'));
	await screen.press(ctrlS);
	await screen.until(has('Reply to api-migration'));
	await screen.press('\x1b', ']');
	await screen.until(() => parts.view.getState().shown?.id === 's-login');
	await screen.press('\r', 'again', ctrlS);
	await screen.until(() => parts.view.getState().shown?.id === 's-api');
	expect(parts.view.getState()).toMatchObject({focus: 'composer', cursor: {section: 'needs', id: 's-api'}});
	answered();
	await screen.until(has('1 needs you'));
	await screen.press('go on', ctrlS);
	await screen.until(has('Nothing else needs you'));
	await screen.until(has('> go on'));
	await screen.press('\r');
	await screen.until(() => parts.calls.includes('enqueue s-api go on'));
	expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([
		'enqueue s-login yes, push',
		'enqueue s-login again',
		'enqueue s-api go on',
	]);
});

test('sending goes on to a request or a failed computer too, where no key answers or writes', async () => {
	const {screen, parts, clock} = await app(120, 40);
	const {computers, sessions} = parts.stores.fleet.getState();
	const at = clock.now() - 5 * minute;
	const steps = [{name: 'install', status: 'failed', error: 'no disk', completedAt: at}];
	const docs = knownSession('s-docs', {...sessions.get('s-docs'), activity: {...asks, at, changedAt: at}});
	parts.stores.fleet.setState({
		computers: new Map(computers).set('gpu', knownComputer('gpu', {name: 'gpu-1', provisioningSteps: steps})),
		sessions: new Map(sessions).set('s-docs', docs),
	});
	await screen.until(has('4 need you'));
	openSession(parts, 's-login', 'composer');
	await screen.press('go on', '\x13');
	await screen.until(() => parts.view.getState().shown?.id === 's-docs');
	expect(parts.view.getState()).toMatchObject({focus: 'main', dialogs: []});
	await screen.press('yn', '!', '\r');
	await screen.until(has('Ignored what you typed'));
	expect(parts.view.getState()).toMatchObject({focus: 'main', dialogs: []});
	await clock.advance(500);
	await screen.press('\r', 'thanks', '\x13');
	await screen.until(() => parts.view.getState().shown?.id === 's-api');
	expect(parts.view.getState().focus).toBe('composer');
	await screen.press('so do it', '\x13');
	await screen.until(() => parts.view.getState().shown?.id === 'gpu');
	expect(parts.view.getState()).toMatchObject({focus: 'main', dialogs: []});
	await clock.advance(500);
	// Over the lists, it stays there.
	await screen.press('\x1b', 'g', ' ', 'again', '\x13');
	await screen.until(() => parts.view.getState().cursor?.id === 's-docs');
	expect(parts.view.getState()).toMatchObject({focus: 'lists', dialogs: []});
	expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([
		'enqueue s-login go on',
		'enqueue s-docs thanks',
		'enqueue s-api so do it',
		'enqueue s-login again',
	]);
	expect(parts.calls.filter(call => call.startsWith('answer'))).toEqual([]);
});

test('a reply can archive its session, once the service has the message', async () => {
	const {screen, parts} = await app(120, 40);
	const archived: string[] = [];
	const update = async (id: string) => {
		archived.push(id);
		return {sessionId: id, status: 'idle'};
	};
	Object.assign(parts.actions.service, {sessions: {update}});
	const {outbox} = parts.stores;
	const delivery = (state: 'queued' | 'accepted' | 'failed') => {
		const id = `out-${parts.calls.findLastIndex(call => call.startsWith('enqueue')) + 1}`;
		const item = {id, sessionId: 's-login', text: 'thanks', images: [], files: [], createdAt: 0, tries: 0};
		outbox.setState({bySession: new Map([['s-login', [{...item, state}]]])});
	};
	const ctrlL = '\x0c';
	await screen.until(has('fix-login'));
	await screen.press('g', ' ', ctrlL);
	await screen.until(has('Write the message first'));
	await screen.press('thanks');
	await screen.until(has('send, archive'));
	await screen.press(ctrlL);
	delivery('queued');
	expect(archived).toEqual([]);
	delivery('failed');
	await screen.until(has("Not archived: the message isn't confirmed as delivered"));
	expect(archived).toEqual([]);
	openSession(parts, 's-login', 'composer');
	await screen.press('thanks', ctrlL);
	delivery('queued');
	delivery('accepted');
	await screen.until(has('Archived 1 session; u shows it here again'));
	expect(archived).toEqual(['s-login']);
});

test("the notice of a quick reply doesn't claim to send it while the service is offline", async () => {
	const {screen, parts} = await app(80, 24);
	parts.stores.connection.setState({state: 'offline'});
	openSession(parts, 's-login', 'lists');
	await screen.press(' ');
	await screen.until(has('Reply to fix-login'));
	await screen.press('yes, push', '\r');
	await screen.until(has('The reply is queued'));
	expect(parts.stores.notices.getState().list.map(({text}) => text)).not.toContain('Sending the reply');
});
