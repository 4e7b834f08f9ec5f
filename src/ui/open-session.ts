import {isMatch} from '../domain/list-filter/filter.ts';
import {computersFilter} from '../state/computer-rows.ts';
import {opened, withCursor} from '../state/shown-item.ts';
import {type Focus, type Shown, withComputers} from '../state/view.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/** Opens a session in the main area, with its saved draft in the composer. */
export function openSession(parts: AppParts, id: string, focus: Focus): void {
	prepareComposer(parts, id);
	setView(parts.view, view => opened(view, {kind: 'session', id}, focus));
}

/** Opens a session, or a computer's page. */
export function openItem(parts: AppParts, {kind, id}: Shown): void {
	if (kind === 'session') openSession(parts, id, 'main');
	else setView(parts.view, view => opened(view, {kind, id}, 'main'));
}

/** Loads a session's stored draft, from any program, and its sent messages into the composer. */
export function prepareComposer({drafts, actions, stores}: AppParts, id: string): void {
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
