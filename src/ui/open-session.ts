import {notify} from '../actions/notify.ts';
import type {KnownSession} from '../domain/known.ts';
import {isMatch} from '../domain/list-filter/filter.ts';
import {computersFilter} from '../state/computers/computer-columns.ts';
import type {Fleet} from '../state/fleet.ts';
import type {Lists, NeedsItem} from '../state/lists/lists.ts';
import {rememberEach} from '../state/rows/remember.ts';
import {cursorOn, positionOf} from '../state/view/cursor.ts';
import {streamsOf, withCursor, withOpened, withoutShown} from '../state/view/shown-item.ts';
import {
	type Focus,
	filterOf,
	isTypingIn,
	type Shown,
	setView,
	withComputers,
	withFilter,
	withSessions,
	withTableCursor,
} from '../state/view/view.ts';
import {viewInfo} from '../state/view/view-states.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/**
 * Opens a session in the main area, with its saved draft in the composer. The cursor of the lists goes to its
 * row, if there is one: back in the lists, the same session is shown.
 */
export function openSession(parts: AppParts, id: string, focus: Focus): void {
	prepareComposer(parts, id);
	const position = focus === 'lists' ? undefined : positionOf(listsNow(parts), {section: 'sessions', id});
	setView(parts.view, view => ({
		...withOpened(view, {kind: 'session', id}, focus),
		cursor: position ? {section: position.section, id} : view.cursor,
	}));
}

/** The folder and agent of a new session on a computer; no agent if that is the configured one. */
export function usualChoices(
	parts: AppParts,
	computerId: string,
): {readonly cwd?: string; readonly agent?: string} {
	const [cwd] = knownFolders(parts, computerId);
	const agent = lastAgent(parts.stores, computerId);
	const {agent: configured} = parts.profile;
	return {cwd, agent: configured === undefined || agent === configured ? undefined : agent};
}

/**
 * The folder that the program was started in, if that is on this computer, and those of its sessions, newest first. For
 * a session with a worktree of its own, the folder it was made from.
 */
export function knownFolders({stores, profile, program}: AppParts, computerId: string): readonly string[] {
	const {computers, sessions} = stores.fleet.getState();
	const computer = computers.get(computerId)?.computer;
	const isHere = profile.host === undefined && computer !== undefined && !computer.host;
	const folders = [
		isHere ? program.folder : undefined,
		...newestSessions({sessions}, computerId).map(
			known => known.session?.workFolder?.sourceFolder ?? known.cwd,
		),
	];
	return [...new Set(folders.filter(folder => folder !== undefined))];
}

/** The agent of the newest session on a computer whose agent is known. */
export function lastAgent({fleet}: AppParts['stores'], computerId: string): string | undefined {
	return newestSessions(fleet.getState(), computerId).find(({session}) => session?.agent)?.session?.agent;
}

function newestSessions({sessions}: Pick<Fleet, 'sessions'>, computerId: string): readonly KnownSession[] {
	return newestByComputer(sessions).get(computerId) ?? [];
}

/** Ids of the computers that sessions name, the newest session's first. */
export function latestComputers({fleet}: AppParts['stores']): readonly string[] {
	return [...newestByComputer(fleet.getState().sessions).keys()];
}

/** The sessions of each computer, newest first; those without one under `''`. */
const newestByComputer = rememberEach((sessions: Fleet['sessions']) => {
	const newestFirst = [...sessions.values()].sort((a, b) => b.addedAt - a.addedAt);
	return Map.groupBy(newestFirst, ({computerId, session}) => computerId ?? session?.computerId ?? '');
});

export function openItem(parts: AppParts, {kind, id}: Shown): void {
	if (kind === 'session') openSession(parts, id, 'main');
	else setView(parts.view, view => withOpened(view, {kind, id}, 'main'));
}

/** Puts the cursor of the lists on something that needs the user, though a filter hid it. */
export function goToNeeds(parts: AppParts, lists: Lists, item: NeedsItem): void {
	const isHidden = !lists.needs.includes(item);
	setView(parts.view, view =>
		withCursor(isHidden ? withFilter(view, '', 'work') : view, cursorOn('needs', item)),
	);
}

/** Loads a session's stored draft and its sent messages into the composer. */
export function prepareComposer({drafts, actions, stores}: AppParts, id: string): void {
	drafts.open(id, () => {
		const sent = actions.history.ofSession(id);
		// The user may also have sent messages by a command.
		const outbox = (stores.outbox.getState().bySession.get(id) ?? []).map(item => item.text);
		return [...outbox.filter(text => !sent.includes(text)), ...sent];
	});
}

/** Shows the sessions just created in the Sessions view, marked. */
export function showSeveral(parts: AppParts, ids: readonly string[]): void {
	setView(parts.view, view => ({
		...withTableCursor(withSessions(view, {marked: new Set(ids)}), 'sessions', ids[0] ?? ''),
		page: 'sessions',
	}));
}

/** Shows the object just created or added, with the cursor on it. */
export function showResult(parts: AppParts, shown: Shown, startsWriting: boolean): void {
	if (shown.kind === 'session') {
		openSession(parts, shown.id, startsWriting ? 'composer' : 'main');
		setView(parts.view, view => ({...view, cursor: {section: 'sessions', id: shown.id}}));
	} else if (viewInfo(parts.view.getState().page).rows === 'computer') {
		const {all} = listsNow(parts);
		const item = all.computers.find(({id}) => id === shown.id);
		const filter = computersFilter(all, filterOf(parts.view.getState()));
		const isListed = item && isMatch(filter, parts.listBuilder.filterables.computer(item));
		setView(parts.view, view => {
			const now = withTableCursor(isListed ? view : withFilter(view, ''), view.page, shown.id);
			return withComputers(now, {pane: 'table'});
		});
	} else {
		setView(parts.view, view => ({
			...withCursor(view, {section: 'computers', id: shown.id}),
			focus: 'lists',
		}));
	}
}

/** Opens a new session to write in it; if the user has moved on, only says that it is there. Returns whether it opened. */
export function showNewSession(parts: AppParts, id: string, hasMovedOn: boolean): boolean {
	if (hasMovedOn) notify(parts.actions, 'good', 'The new session is ready, in the list of sessions');
	else showResult(parts, {kind: 'session', id}, true);
	return !hasMovedOn;
}

/** Closes a session or computer that another program has forgotten, unless the user is writing to it. */
export function closeForgotten({view, actions}: AppParts, id: string): void {
	const now = view.getState();
	if (isTypingIn(now, id)) {
		notify(actions, 'info', 'Another program forgot this session: sending to it adds it again');
		return;
	}
	if (now.shown?.id === id || streamsOf(now).includes(id))
		notify(actions, 'info', strings.forget.elsewhere(now.shown?.kind));
	setView(view, before => withoutShown(before, id));
}
