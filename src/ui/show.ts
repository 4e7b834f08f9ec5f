import {opened, withCursor} from '../state/shown.ts';
import {type Focus, type Shown, withComputers} from '../state/view.ts';
import {composerOf, setComposer} from './composer/composers.ts';
import {setView} from './set-view.ts';
import type {AppParts} from './use-app.ts';

/** Opens a session in the main area, with its kept draft in the composer. */
export function openSession(parts: AppParts, id: string, focus: Focus): void {
	prepareComposer(parts, id);
	setView(parts.view, view => opened(view, {kind: 'session', id}, focus));
}

/** Puts the kept draft and what was sent before into the composer of a session, once. */
export function prepareComposer({composers, actions, stores}: AppParts, id: string): void {
	if (composers.getState().bySession.has(id)) return;
	const kept = actions.history.ofSession(id);
	// What other commands have put in the outbox was sent by the same user.
	const outbox = (stores.outbox.getState().bySession.get(id) ?? []).map(item => item.text);
	const history = [...outbox.filter(text => !kept.includes(text)), ...kept];
	setComposer(composers, id, composerOf(actions.drafts.get(id), history));
}

/** Shows what was just created or added, with the cursor on it. */
export function showResult(parts: AppParts, shown: Shown, startsWriting: boolean): void {
	if (shown.kind === 'session') {
		openSession(parts, shown.id, startsWriting ? 'composer' : 'main');
		setView(parts.view, view => ({...view, cursor: {section: 'sessions', id: shown.id}}));
	} else if (parts.view.getState().page === 'computers') {
		const isSeen = parts.sizes.computers?.rows.some(({item}) => item.id === shown.id);
		setView(parts.view, view =>
			withComputers(view, {cursor: shown.id, top: 0, pane: 'table', ...(!isSeen && {words: ''})}),
		);
	} else {
		setView(parts.view, view => ({
			...withCursor(view, {section: 'computers', id: shown.id}),
			focus: 'lists',
		}));
	}
}
