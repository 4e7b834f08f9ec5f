import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	lastKeyIn,
	openRequested,
	persistLists,
	requestOf,
	restoreView,
	saveView,
} from '../../../src/app/initial-view.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import {createViewStore, setView, withColumnToggled} from '../../../src/state/view/view.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownSession} from '../../support/fleet.ts';
import {temporaryFolder} from '../../support/local-service.ts';

/** A view over the settings of a file, as one start of the program has it. */
function start(file: string, change: (view: ReturnType<typeof createViewStore>) => void = () => {}) {
	const database = openDatabase({file});
	const view = createViewStore();
	const stop = persistLists(view, database.settings);
	change(view);
	stop();
	database.close();
	const {sort, grouping, density, collapsed, draftPlace, hiddenColumns} = view.getState();
	return {
		...{sort, grouping, density, collapsed: [...collapsed]},
		...(draftPlace && {draftPlace}),
		...(Object.keys(hiddenColumns).length > 0 && {hiddenColumns}),
	};
}

test('keeps how the lists are sorted, grouped and drawn across restarts', () => {
	const file = join(temporaryFolder(), 'account.db');
	expect(start(file)).toEqual({sort: 'attention', grouping: 'state', density: 'automatic', collapsed: []});
	const chosen = {sort: 'name', grouping: 'tag', density: 'compact'} as const;
	start(file, view => view.setState({...chosen, collapsed: new Set(['tag urgent', 'tag'])}));
	expect(start(file)).toEqual({...chosen, collapsed: ['tag urgent', 'tag']});
});

test('keeps which columns of a table are hidden across restarts', () => {
	const file = join(temporaryFolder(), 'account.db');
	const hiddenOf = (change?: Parameters<typeof start>[1]) => start(file, change).hiddenColumns;
	expect(hiddenOf()).toBeUndefined();
	hiddenOf(view => setView(view, now => withColumnToggled(now, 'sessions', 'model')));
	expect(hiddenOf()).toMatchObject({sessions: ['model']});
});

test('keeps what was shown, chosen and divided, and when the last key came, across restarts', () => {
	const file = join(temporaryFolder(), 'account.db');
	const shown = {kind: 'session', id: 's1'} as const;
	const kept = {shown, recent: ['new-computer'], shares: {work: 0.4}, heights: {events: 0.6}};
	const begin = () => {
		const database = openDatabase({file});
		const parts = appParts(fakeClock());
		parts.stores.fleet.setState(fleet([knownSession('s1')]));
		restoreView(parts, database);
		return {...parts, database};
	};
	const first = begin();
	expect(first.view.getState()).toMatchObject({recent: [], shares: {}, heights: {}});
	expect(lastKeyIn(first.database).load()).toBeUndefined();
	first.view.setState(kept);
	saveView(first.view, first.database);
	lastKeyIn(first.database).save(1000);
	first.database.close();
	const next = begin();
	expect(next.view.getState()).toMatchObject(kept);
	expect(lastKeyIn(next.database).load()).toBe(1000);
	next.database.close();
});

test('keeps where a new session is to run across restarts, until it is cleared', () => {
	const file = join(temporaryFolder(), 'account.db');
	const placeOf = (change?: Parameters<typeof start>[1]) => start(file, change).draftPlace;
	expect(placeOf()).toBeUndefined();
	const draftPlace = {computerId: 'box', agent: 'claude', folder: '/srv/shop'};
	placeOf(view => view.setState({draftPlace}));
	expect(placeOf()).toEqual(draftPlace);
	placeOf(view => setView(view, ({draftPlace: _, ...now}) => now));
	expect(placeOf()).toBeUndefined();
});

test('ignores stored values that mean nothing', () => {
	const file = join(temporaryFolder(), 'account.db');
	const database = openDatabase({file});
	database.settings.put('lists.sort', 'nothing');
	database.settings.put('lists.density', 7);
	database.settings.put('lists.collapsed', {a: 1});
	database.settings.put('newSession.place', {folder: 7});
	database.settings.put('tables.hidden', 7);
	database.close();
	expect(start(file)).toEqual({sort: 'attention', grouping: 'state', density: 'automatic', collapsed: []});
});

test('a profile that is opened again shows the same view, with its filters and marks', () => {
	const before = createViewStore({
		page: 'sessions',
		filters: {work: 'api', sessions: 'shop', computers: 'gpu'},
		needsOnly: true,
		focus: 'composer',
		shown: {kind: 'session', id: 's-api'},
	});
	const {sessions} = before.getState();
	const writing = {composerId: 's-api', recipients: ['s-api'], leftOut: []};
	before.setState({sessions: {...sessions, marked: new Set(['s-api']), writing}});
	const parts = appParts(fakeClock());
	openRequested(parts, requestOf(before.getState(), 'a'));
	expect(parts.view.getState()).toMatchObject({
		page: 'sessions',
		filters: {work: 'api', sessions: 'shop', computers: 'gpu'},
		needsOnly: true,
		focus: 'composer',
		shown: {kind: 'session', id: 's-api'},
		sessions: {marked: new Set(['s-api'])},
	});
	expect(parts.view.getState().sessions.writing).toBeUndefined();
});
