import type {KeyContext, KeyFacts} from '../../keys/facts.ts';
import {contextTitles, type HelpEntry, helpEntries} from '../../keys/help.ts';
import {keyLabel} from '../../keys/key-label.ts';
import type {Dialog} from '../../state/view.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';

type Props = {
	readonly dialog: Dialog & {kind: 'help'};
	readonly layout: Layout;
	/** Where the keys went before the help was opened, and what was possible there. */
	readonly contexts: readonly KeyContext[];
	readonly facts: KeyFacts;
};

const keyWidth = 16;

/** Every key, searchable; those that work where the focus is come first, and what is off says why. */
export function HelpDialog({dialog, layout, contexts, facts}: Props) {
	const entries = helpEntries(dialog.query, contexts, facts);
	const rect = dialogRect(layout, Math.min(90, layout.columns - 4), layout.rows);
	const room = rect.height - 4;
	const top = Math.max(0, Math.min(dialog.top, entries.length - room));
	const below = entries.length - top - room;
	const search: Line = [
		span(safe`  / `, 'accent'),
		span(cleanLine(dialog.query)),
		span(safe`▏`, 'accent'),
		span(dialog.query === '' ? safe`type to search` : safe``, 'dim'),
	];
	return (
		<Pane
			rect={rect}
			title={[span(safe`Keys`, 'heading')]}
			right={[span(safe`Esc closes`, 'dim')]}
			{...(below > 0 && {bottom: [span(safe`${below} more ↓`, 'dim')]})}
			isFocused
			body={[
				{line: search},
				{line: []},
				...(entries.length === 0 ? [{line: [span(safe`  No key does that.`, 'dim')]}] : []),
				...entries.slice(top, top + room).map(entry => ({line: entryLine(entry)})),
			]}
		/>
	);
}

function entryLine({binding, isHere, reason}: HelpEntry): Line {
	const keys = binding.keys.map(keyLabel).reduce((all, key) => safe`${all} ${key}`);
	const places = cleanLine(binding.contexts.map(context => contextTitles[context]).join(', '));
	return [
		span(pad(safe`  ${keys}`, keyWidth), isHere && reason === undefined ? 'accent' : 'dim'),
		span(safe` `),
		span(cleanLine(binding.title), isHere && reason === undefined ? undefined : 'dim'),
		...(reason === undefined
			? [span(safe`   ${places}`, 'border')]
			: [span(safe`   off: ${cleanLine(reason)}`, 'warn')]),
	];
}
