import type {ActionContext} from '../../actions/context.ts';
import {popDialog, pushDialog, type SentText} from '../../state/view/dialogs.ts';
import {targets} from '../../state/view/targets.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {edit} from '../composer/composer-edit.ts';
import {bindingsIn, bindingsOf} from '../keys/binding.ts';
import {rectOverComposer} from '../kit/dialog-rect.ts';
import type {DialogOf} from './dialog-module.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';
import {topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

const maxRows = 12;
/** Rows of the query, and a blank one. */
const rowsAbove = 2;

/** Messages sent earlier, newest first, filtered by the query. */
export const historyDialog: ListModule<'history', SentText> = listDialog({
	kind: 'history',
	choose: 'history-take',
	queryHint: strings.typeToSearch,
	rows: matchesOf,
	lines:
		() =>
		({text: sent, isHere}) => [
			span(isHere ? safe`   ` : safe` ~ `, 'dim'),
			span(cleanLine(sent, 400), isHere ? 'text' : 'dim'),
		],
	title: () => [span(safe`Sent messages`, 'heading')],
	right: ({dialog, rows}) =>
		rows.length > 0 ? [span(safe`${dialog.index + 1} of ${rows.length}`, 'dim')] : [],
	bottom: ({rows}) =>
		rows.some(({isHere}) => !isHere) ? [span(safe`~ sent to another session`, 'dim')] : [],
	rect: (layout, rows) => rectOverComposer(layout, Math.max(1, Math.min(rows, maxRows)) + rowsAbove),
	empty: ({dialog}) => [
		[span(safe`   ${dialog.texts.length === 0 ? safe`Nothing sent yet` : strings.noMatches}`, 'dim')],
	],
});

/** The texts that contain every word of the query, in their original order. */
function matchesOf({texts, query}: DialogOf<'history'>): readonly SentText[] {
	const words = query.toLowerCase().split(' ').filter(Boolean);
	return texts.filter(({text}) => {
		const lower = text.toLowerCase();
		return words.every(word => lower.includes(word));
	});
}

/** Messages sent to this session, then to others; newest first, without duplicates. */
function sentTexts(actions: ActionContext, sessionId: string): SentText[] {
	const here = actions.history.ofSession(sessionId).toReversed();
	const known = new Set(here);
	const others = actions.history.ofOthers(sessionId).toReversed();
	return [
		...here.map(text => ({text, isHere: true})),
		...others.filter(text => !known.has(text)).map(text => ({text, isHere: false})),
	];
}

export const historyBindings = bindingsOf([
	{
		action: 'history-search',
		keys: ['ctrl+r'],
		title: 'Search sent messages',
		hint: 'history',
		contexts: ['composer'],
		run(parts) {
			const {sessionId} = targets(parts.view.getState());
			if (sessionId === undefined) return;
			const texts = sentTexts(parts.actions, sessionId);
			setView(parts.view, view => pushDialog(view, {kind: 'history', sessionId, texts, query: '', index: 0}));
		},
	},
	...bindingsIn({contexts: ['history'], isPaletteHidden: true}, [
		{
			action: 'history-take',
			keys: ['enter', 'tab'],
			title: 'Copy it to the composer',
			hint: 'take',
			run(parts) {
				const dialog = topDialog(parts.view.getState(), 'history');
				const chosen = dialog && matchesOf(dialog)[dialog.index];
				setView(parts.view, popDialog);
				if (dialog && chosen) edit(parts, dialog.sessionId, {type: 'set', text: chosen.text});
			},
		},
		{
			action: 'list-down',
			keys: ['down', 'ctrl+r', 'ctrl+n'],
			title: 'Previous',
			hint: 'older',
		},
		{
			action: 'list-up',
			keys: ['up', 'ctrl+s', 'ctrl+p'],
			title: 'Next',
		},
		{
			action: 'history-close',
			keys: ['escape', 'ctrl+g'],
			title: 'Close the search; the text stays',
			hint: 'close',
			isWayOut: true,
			run: parts => setView(parts.view, popDialog),
		},
	]),
]);
