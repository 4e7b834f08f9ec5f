import type {ActionContext} from '../../actions/context.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, pushDialog, type SentText} from '../../state/view/dialogs.ts';
import {targets} from '../../state/view/targets.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {edit} from '../composer/composer-edit.ts';
import {bindingsIn, bindingsOf} from '../keys/binding.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect, rectAbove} from '../kit/dialog-rect.ts';
import {queryLine} from '../kit/text-field.tsx';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {AppParts} from '../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.history;

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
				const dialog = topDialog(parts.view, 'history');
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

const maxRows = 12;

/** Messages sent earlier, newest first, filtered by the query. */
function HistoryDialog({dialog, layout}: DialogProps<'history'>) {
	const found = matchesOf(dialog);
	const rows = Math.max(1, Math.min(found.length, maxRows)) + 1;
	const rect = layout.composer ? rectAbove(layout.composer, rows) : dialogRect(layout, 76, rows);
	const search = queryLine(safe` > `, dialog.query, strings.typeToSearch, rect.width - 2);
	useScreenCursor({x: rect.x + 1 + search.cursor, y: rect.y + 1});
	const empty = dialog.texts.length === 0 ? text.empty : strings.noMatches;
	const isMixed = found.some(({isHere}) => !isHere);
	return (
		<ChoicePane
			rect={rect}
			title={[span(text.title, 'heading')]}
			right={found.length > 0 ? [span(text.position(dialog.index + 1, found.length), 'dim')] : []}
			bottom={isMixed ? [span(text.otherSession, 'dim')] : []}
			head={[{line: search.line}]}
			count={found.length}
			index={dialog.index}
			renderRow={index => textLine(found[index])}
			empty={[{line: [span(safe`   ${empty}`, 'dim')]}]}
			context="history"
			choose="history-take"
		/>
	);
}

function textLine({text, isHere}: SentText = {text: '', isHere: true}): Line {
	return [span(isHere ? safe`   ` : safe` ~ `, 'dim'), span(cleanLine(text, 400), isHere ? 'text' : 'dim')];
}

/** Keys of the history search; its own bindings win over typed text. */
function historyLayer(parts: AppParts, dialog: DialogOf<'history'>): KeyLayer {
	return listLayer(parts, {
		context: 'history',
		query: dialog.query,
		index: dialog.index,
		count: () => matchesOf(dialog).length,
		typed: query => changeDialog(parts.view, 'history', now => ({...now, query, index: 0})),
		moved: index => changeDialog(parts.view, 'history', now => ({...now, index})),
	});
}

export const historyDialog: DialogModule<'history'> = {
	Component: HistoryDialog,
	layer: historyLayer,
};
