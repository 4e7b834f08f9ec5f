import {expect, test} from 'vitest';
import {lineText} from '../../../src/text/cells/line.ts';
import {streamTitle} from '../../../src/ui/stream/stream-title.ts';
import {fleet, knownComputer, knownSession, listsOf, noon} from '../../support/fleet.ts';

const known = knownSession('s', {
	computerId: 'build-box',
	session: {sessionId: 's', title: 'api-migration of the orders', sessionSettings: {model: 'model-x'}},
	status: {value: 'running', source: 'posted', at: noon},
});
const data = fleet([known], [knownComputer('build-box')]);
const [item] = listsOf(data).sessions;
const title = (width: number, now = noon) =>
	item
		? lineText(
				streamTitle(item, {
					now,
					isFocused: true,
					width,
				}),
			)
		: '';

test('a title says less in fewer columns, and drops the state last', () => {
	expect(title(120)).toBe(
		'api-migration of the orders · build-box · ● working · model-x · your message 0s ago',
	);
	expect(title(60)).toContain('build-box');
	expect(title(60)).not.toContain('model-x');
	for (let width = 24; width <= 120; width++) {
		expect(title(width)).toContain('● working');
		expect(title(width).length).toBeLessThanOrEqual(Math.max(width, 24));
	}
	expect(title(32)).not.toContain('build-box');
	// Whatever else there is to say, the name is whole as soon as it fits beside the state.
	for (let width = 39; width <= 120; width++) expect(title(width)).toMatch(/^api-migration of the orders · /);
});

test('marks the state in the title as uncertain if nobody has read the session for a minute', () => {
	expect(title(120, noon + 61_000)).toBe(
		'api-migration of the orders · build-box · ◌ working? · model-x · your message 1m ago',
	);
});

test('marks an idle session as uncertain while its computer is lost', () => {
	const idle = {...item, state: 'idle'} as NonNullable<typeof item>;
	const look = {now: noon, isFocused: true, width: 120};
	expect(lineText(streamTitle(idle, look))).toContain(' · ○ idle · ');
	expect(lineText(streamTitle({...idle, isUnreachable: true}, look))).toContain(' · ◌ idle? · ');
});

test('tells a computer apart from others of its name, as in the lists', () => {
	const computers = ['machine-a', 'machine-b'].map(id => knownComputer(id, {name: 'box'}));
	const sessions = computers.map(({id}) => knownSession(`on ${id}`, {computerId: id}));
	const lists = listsOf(fleet(sessions, computers));
	const look = {now: noon, isFocused: true, width: 120};
	const titles = lists.all.sessions.map(one => lineText(streamTitle(one, look)));
	expect(titles).toEqual(computers.map(({id}) => expect.stringContaining(` · box ${id} · `)));
});

test('a mode other than ask, and the branch, stay before the age', () => {
	const titleIn = (width: number, mode: string) => {
		const session = {...known.session, agent: 'claude', mode, workFolder: {branch: 'fix'}};
		const one = {...item, known: {...known, session}} as NonNullable<typeof item>;
		return lineText(streamTitle(one, {now: noon, isFocused: true, width}));
	};
	const start = 'api-migration of the orders · build-box · ● working';
	expect(titleIn(85, 'accept-edits')).toBe(`${start} · branch fix · accept edits`);
	expect(titleIn(75, 'accept-edits')).toBe(`${start} · accept edits`);
	expect(titleIn(90, 'ask')).toBe(`${start} · branch fix · your message 0s ago`);
});

test('an archived session of which nothing newer is known is archived, not ended', () => {
	const session = {sessionId: 's', title: 'api', sessionSettings: {archivedAt: new Date(noon).toISOString()}};
	const stateWith = (value: 'idle' | 'running') => {
		const one = knownSession('s', {session, status: {value, source: 'updated', at: noon}});
		const {all} = listsOf(fleet([one], []));
		const options = {now: noon + 61_000, isFocused: true, width: 80};
		return all.sessions.map(item => lineText(streamTitle(item, options))).join('');
	};
	expect(stateWith('idle')).toBe('api · · archived · checked 1m ago');
	// It isn't read any more.
	expect(stateWith('running')).toBe('api · ◌ working? · archived · checked 1m ago');
});
