import {notify} from '../actions/notify.ts';
import {createSession} from '../actions/sessions.ts';
import {failureOf} from '../domain/computers/failure.ts';
import {isMatch} from '../domain/list-filter/filter.ts';
import {computersFilter} from '../state/computer-rows.ts';
import {placeOf} from '../state/cursor.ts';
import {opened, withCursor} from '../state/shown-item.ts';
import {type Focus, type Shown, withComputers} from '../state/view.ts';
import {setView} from './set-view.ts';
import {strings} from './strings.ts';
import type {AppParts, Parts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/**
 * Opens a session in the main area, with its saved draft in the composer. The cursor of the lists goes to its
 * row, if there is one: back in the lists, the same session is shown.
 */
export function openSession(parts: AppParts, id: string, focus: Focus): void {
	prepareComposer(parts, id);
	const place = focus === 'lists' ? undefined : placeOf(listsNow(parts), {section: 'sessions', id});
	setView(parts.view, view => ({
		...opened(view, {kind: 'session', id}, focus),
		...(place && {cursor: {section: place.section, id}}),
	}));
}

/**
 * Creates a session on a computer, with the folder and agent of the last one there, and starts writing. Returns
 * whether it did.
 */
export async function openNewSession(parts: AppParts, computerId: string): Promise<boolean> {
	parts.creating.add(computerId);
	const before = parts.view.getState().shown;
	const result = await createSession(parts.actions, {computerId, ...lastChoices(parts, computerId)});
	parts.creating.delete(computerId);
	const {computer} = parts.stores.fleet.getState().computers.get(computerId) ?? {};
	if (result.isDone && failureOf(computer))
		notify(parts.actions, 'bad', strings.failedComputer(computer?.name || computerId));
	const {shown, dialogs} = parts.view.getState();
	// The user may have gone on to something else.
	const isElsewhere = dialogs.length > 0 || (shown?.kind === 'session' && shown.id !== before?.id);
	if (!result.isDone || isElsewhere) return false;
	showResult(parts, {kind: 'session', id: result.value.sessionId}, true);
	return true;
}

/** The folder and the agent of the newest sessions on a computer that have one; of the agent, only if it isn't the usual. */
export function lastChoices(
	{stores, profile}: Parts<'stores' | 'profile'>,
	computerId: string,
): {readonly cwd?: string; readonly agent?: string} {
	const there = [...stores.fleet.getState().sessions.values()]
		.filter(known => (known.computerId ?? known.session?.computerId) === computerId)
		.sort((a, b) => b.addedAt - a.addedAt);
	const cwd = there.find(known => known.cwd)?.cwd;
	const agent = there.find(({session}) => session?.agent)?.session?.agent;
	const {agent: usual} = profile;
	return {...(cwd && {cwd}), ...(agent && usual !== undefined && agent !== usual && {agent})};
}

/** Opens a session, or a computer's page. */
export function openItem(parts: AppParts, {kind, id}: Shown): void {
	if (kind === 'session') openSession(parts, id, 'main');
	else setView(parts.view, view => opened(view, {kind, id}, 'main'));
}

/** Loads a session's stored draft, from any program, and its sent messages into the composer. */
export function prepareComposer(
	{drafts, actions, stores}: Parts<'drafts' | 'actions' | 'stores'>,
	id: string,
): void {
	drafts.open(id, () => {
		const sent = actions.history.ofSession(id);
		// Messages that other commands put in the outbox come from the same user.
		const outbox = (stores.outbox.getState().bySession.get(id) ?? []).map(item => item.text);
		return [...outbox.filter(text => !sent.includes(text)), ...sent];
	});
}

/** Shows the object just created or added, with the cursor on it. */
export function showResult(parts: AppParts, shown: Shown, startsWriting: boolean): void {
	if (shown.kind === 'session') {
		openSession(parts, shown.id, startsWriting ? 'composer' : 'main');
		setView(parts.view, view => ({...view, cursor: {section: 'sessions', id: shown.id}}));
	} else if (parts.view.getState().page === 'computers') {
		const {all} = listsNow(parts);
		const item = all.computers.find(({id}) => id === shown.id);
		const filter = computersFilter(all, parts.view.getState().computers.words);
		const isListed = item && isMatch(filter, parts.listBuilder.filterables.computer(item));
		setView(parts.view, view =>
			withComputers(view, {cursor: shown.id, top: 0, pane: 'table', ...(!isListed && {words: ''})}),
		);
	} else {
		setView(parts.view, view => ({
			...withCursor(view, {section: 'computers', id: shown.id}),
			focus: 'lists',
		}));
	}
}
