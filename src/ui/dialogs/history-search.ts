import {type Dialog, popDialog, pushDialog, type SentText, withTop} from '../../state/dialogs.ts';
import {edit} from '../composer/composer-edit.ts';
import {targets} from '../contexts.ts';
import type {Intents} from '../intents.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

export type HistoryDialog = Dialog & {kind: 'history'};

/** Intents of the search through sent messages. */
export const historyIntents: Intents = {
	'history-search'(parts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId === undefined) return;
		const texts = sentTexts(parts, sessionId);
		setView(parts.view, view =>
			pushDialog(view, {kind: 'history', sessionId, texts, query: '', selected: 0}),
		);
	},
	'history-take'(parts) {
		const dialog = topHistory(parts);
		const taken = dialog && matchesOf(dialog)[dialog.selected];
		setView(parts.view, popDialog);
		if (dialog && taken) edit(parts, dialog.sessionId, {type: 'set', text: taken.text});
	},
	'history-older': parts => move(parts, 1),
	'history-newer': parts => move(parts, -1),
	'history-close': parts => setView(parts.view, popDialog),
};

/** The texts that contain every word of the query, in their original order. */
export function matchesOf({texts, query}: HistoryDialog): readonly SentText[] {
	const words = query.toLowerCase().split(' ').filter(Boolean);
	return words.length === 0
		? texts
		: texts.filter(({text}) => {
				const lower = text.toLowerCase();
				return words.every(word => lower.includes(word));
			});
}

/** Messages sent to this session, then to others; newest first, without duplicates. */
function sentTexts({actions}: AppParts, sessionId: string): SentText[] {
	const here = actions.history.ofSession(sessionId).toReversed();
	const known = new Set(here);
	const others = actions.history.ofOthers(sessionId).toReversed();
	return [
		...here.map(text => ({text, isHere: true})),
		...others.filter(text => !known.has(text)).map(text => ({text, isHere: false})),
	];
}

function move(parts: AppParts, by: 1 | -1): void {
	const dialog = topHistory(parts);
	if (!dialog) return;
	const last = matchesOf(dialog).length - 1;
	const selected = Math.max(0, Math.min(last, dialog.selected + by));
	setView(parts.view, view => withTop(view, {...dialog, selected}));
}

function topHistory({view}: AppParts): HistoryDialog | undefined {
	const dialog = view.getState().dialogs.at(-1);
	return dialog?.kind === 'history' ? dialog : undefined;
}
