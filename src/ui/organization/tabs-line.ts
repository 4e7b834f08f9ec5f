import {type UsageTab, usageTabs} from '../../state/organization/organization-view-state.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyMap} from '../keys/key-map.ts';

type Keys = Pick<KeyMap, 'label'>;

/** The tab names, each with its key highlighted; the open one is in brackets, so it doesn't depend on color. */
export function tabsLine(open: UsageTab, width: number, keys: Keys): Line {
	return tabSpans(open, width, keys).flat();
}

/** The action that opens the tab at a column of the line. */
export function tabActionAt(
	column: number,
	open: UsageTab,
	width: number,
	keys: Keys,
): ActionName | undefined {
	let end = 0;
	const index = tabSpans(open, width, keys).findIndex(spans => {
		end += lineWidth(spans);
		return column < end;
	});
	const tab = usageTabs[index];
	return tab && `tab-${tab}`;
}

function tabSpans(open: UsageTab, width: number, keys: Keys): Span[][] {
	const whole = usageTabs.map(name => spansOf(name, name === open, true, keys));
	return lineWidth(whole.flat()) <= width
		? whole
		: usageTabs.map(name => spansOf(name, name === open, name === open, keys));
}

function spansOf(name: UsageTab, isOpen: boolean, isWhole: boolean, {label}: Keys): Span[] {
	const [before, key, after] = marked(name, label(`tab-${name}`));
	const tone = isOpen ? 'accent' : 'dim';
	const isLast = name === usageTabs.at(-1);
	return [
		span(isOpen ? safe`[` : safe` `, 'accent'),
		...(isWhole ? [span(before, tone)] : []),
		span(key, isOpen ? 'accent' : 'strong', {bold: true}),
		...(isWhole ? [span(after, tone)] : []),
		span(isLast ? (isOpen ? safe`]` : safe``) : isOpen ? safe`] ` : safe`  `, 'accent'),
	];
}

/** Splits a name around the letter that is its key; a key that isn't in the name goes before it. */
function marked(name: UsageTab, key: Safe): readonly [before: Safe, key: Safe, after: Safe] {
	const at = name.indexOf(key);
	if (at < 0) return [safe``, key, safe` ${cleanLine(name)}`];
	return [cleanLine(name.slice(0, at)), key, cleanLine(name.slice(at + key.length))];
}
